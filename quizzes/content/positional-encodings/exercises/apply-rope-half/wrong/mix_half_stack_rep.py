"""Does: You mix two pairings: you take halves as partners, but put them back by turns, as stack does, and repeat each number of cos and sin twice. So partners end up in wrong places.
Should: Partners and angles should both be joined as halves.
Step: rope/two-pairings
Kind: mistake
Breaks: 2a. Pair i is dimension i and dimension i + D/2.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    turned = torch.stack([-second, first], dim=-1).flatten(-2)
    return x * cos.repeat_interleave(2, dim=-1) + turned * sin.repeat_interleave(2, dim=-1)
