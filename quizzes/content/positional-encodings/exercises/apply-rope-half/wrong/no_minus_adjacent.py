"""Does: You leave out the minus sign, so that lengths change, and you pair adjacent dimensions.
Should: It should be a c - b s and a s + b c, for the pairs (i, i + D/2).
Step: rope/many-pairs
Kind: mistake
Breaks: 3. The results are a c - b s and a s + b c.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cos + second * sin, first * sin + second * cos], dim=-1).flatten(-2)
