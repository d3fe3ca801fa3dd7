"""Does: You stack the two halves in an axis of their own, so your result has the shape (B, H, L, 2, D/2).
Should: The result should have the shape of x: put the halves side by side with torch.cat.
Step: rope/two-pairings
Kind: mistake
Breaks: 1a. The result has the shape of x.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-2)
