"""Does: You turn the first head alone: all others come back as they were.
Should: Every head should turn, all by the same angles.
Step: rope/many-pairs
Kind: mistake
Breaks: 4b. Row p is for every sequence and every head.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    turned = torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return torch.cat([turned[:, :1], x[:, 1:]], dim=1)
