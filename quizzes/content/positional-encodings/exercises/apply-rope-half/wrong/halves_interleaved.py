"""Does: You read the pairs as halves, but write the results by turns, as 0::2 and 1::2.
Should: Each result should stand where its number stood.
Step: rope/two-pairings
Kind: mistake
Breaks: 2b. Both results go where the two numbers were.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
