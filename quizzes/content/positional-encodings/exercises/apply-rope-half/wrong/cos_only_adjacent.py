"""Does: You only multiply each number by a cosine, and by that of adjacent pairs.
Should: Its partner times the sine should be there too, and the pairs should be (i, i + D/2).
Step: rope/many-pairs
Kind: mistake
Breaks: 3. The results are a c - b s and a s + b c.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cos, second * cos], dim=-1).flatten(-2)
