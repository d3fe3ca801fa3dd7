"""Does: You mix two pairings: you turn halves, but repeat each number of cos and sin twice, as repeat_interleave does, so that the two of a pair get different angles.
Should: Each half should get cos and sin as they are.
Step: rope/two-pairings
Kind: mistake
Breaks: 2a. Pair i is dimension i and dimension i + D/2.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    turned = torch.cat([-second, first], dim=-1)
    return x * cos.repeat_interleave(2, dim=-1) + turned * sin.repeat_interleave(2, dim=-1)
