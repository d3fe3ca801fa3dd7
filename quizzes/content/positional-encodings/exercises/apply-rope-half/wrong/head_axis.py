"""Does: You use row p of cos and sin for head p, so that all positions of a head turn by the same angle.
Should: Row p should be for position p, in every head.
Step: rope/code-it
Kind: mistake
Breaks: 4a. Row p of cos and sin is for position p.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    cos, sin = (table[: x.shape[1], None, :] for table in (cos, sin))
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
