"""Does: You only multiply each number by its cosine.
Should: Its partner times the sine should be there too: a c - b s and a s + b c.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. The results are a c - b s and a s + b c.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos, second * cos], dim=-1)
