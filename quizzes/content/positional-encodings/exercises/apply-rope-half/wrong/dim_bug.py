"""Does: You multiply x, which has D columns, by cos and sin, which have D/2: for any D but 2 that raises an error.
Should: You should cut x into two halves first.
Step: rope/code-it
Kind: mistake
Breaks: 2a. Pair i is dimension i and dimension i + D/2.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    return x * cos + x * sin
