"""Does: You use the first half of x as the partner of both halves, perhaps by a slip in a slice. Your second half is never a partner.
Should: Dimension i should meet dimension i + D/2, and the other way round.
Step: rope/two-pairings
Kind: mistake
Breaks: 2a. Pair i is dimension i and dimension i + D/2.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first = second = x[..., : x.shape[-1] // 2]
    return x * torch.cat([cos, cos], dim=-1) + torch.cat([-second, first], dim=-1) * torch.cat(
        [sin, sin], dim=-1
    )
