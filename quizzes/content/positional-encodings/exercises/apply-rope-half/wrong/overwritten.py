"""Does: You write the first half and then read it again for the second one.
Should: The second half should be computed from the first as it was before the turn: keep a copy.
Step: rope/many-pairs
Kind: mistake
Breaks: 3. The results are a c - b s and a s + b c.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    turned = x.clone()
    first, second = turned.chunk(2, dim=-1)
    first[:] = first * cos - second * sin
    second[:] = first * sin + second * cos
    return turned
