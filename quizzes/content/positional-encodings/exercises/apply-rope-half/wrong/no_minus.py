"""Does: You leave out the minus sign. With two pluses this is no turn, and lengths change.
Should: It should be a c - b s and a s + b c.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. The results are a c - b s and a s + b c.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos + second * sin, first * sin + second * cos], dim=-1)
