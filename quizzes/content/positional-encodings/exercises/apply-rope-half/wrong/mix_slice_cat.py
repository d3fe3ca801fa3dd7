"""Does: You mix two pairings: you take partners as 0::2 and 1::2, but join them as halves, with the angles of halves. So partners end up in wrong places.
Should: The partners should be taken as halves too: (i, i + D/2).
Step: rope/two-pairings
Kind: mistake
Breaks: 2a. Pair i is dimension i and dimension i + D/2.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.cat([-second, first], dim=-1)
    return x * torch.cat([cos, cos], dim=-1) + turned * torch.cat([sin, sin], dim=-1)
