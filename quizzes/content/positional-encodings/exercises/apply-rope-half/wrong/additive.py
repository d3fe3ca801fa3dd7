"""Does: You add sines and cosines to x, as the sinusoidal encoding does.
Should: The numbers of a pair should be multiplied by them: a c - b s and a s + b c.
Step: rope/where-it-enters
Kind: mistake
Breaks: 3. The results are a c - b s and a s + b c.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    return x + torch.cat([sin, cos], dim=-1)
