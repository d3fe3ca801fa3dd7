"""Does: You turn x itself, and read numbers again that you have overwritten.
Should: The result should be a new tensor, computed from x as it was before the turn.
Step: rope/many-pairs
Kind: mistake
Breaks: 1c. x, cos and sin stay as they were.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    first[:] = first * cos - second * sin
    second[:] = first * sin + second * cos
    return x
