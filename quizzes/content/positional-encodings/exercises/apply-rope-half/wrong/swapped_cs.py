"""Does: You exchange cosine and sine, so that a pair at position 0 makes a quarter turn.
Should: It should not turn at all there, where the cosine is 1 and the sine 0.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. The results are a c - b s and a s + b c.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * sin - second * cos, first * cos + second * sin], dim=-1)
