"""Does: You write the results into x, so the caller's tensor changes.
Should: The result should be a new tensor, and x should stay as it was.
Step: rope/many-pairs
Kind: mistake
Breaks: 1c. x, cos and sin stay as they were.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    turned = torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return x.copy_(turned)
