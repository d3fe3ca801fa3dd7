"""Does: You return float16 numbers, which have three digits.
Should: The result should have the dtype of x.
Step: rope/many-pairs
Kind: mistake
Breaks: 1b. The result has the dtype of x.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1).half()
