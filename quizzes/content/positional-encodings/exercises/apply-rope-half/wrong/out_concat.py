"""Does: You read the pairs as (0, 1), (2, 3) and so on, and write the results as halves. Your scores are those of adjacent pairs, not those of half-split ones, and your dimensions are in another order.
Should: Here the pairs should be read as (i, i + D/2) too.
Step: rope/two-pairings
Kind: convention
Breaks: 2a. Pair i is dimension i and dimension i + D/2.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
