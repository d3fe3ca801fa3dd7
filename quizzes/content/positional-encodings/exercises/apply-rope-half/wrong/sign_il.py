"""Does: You pair adjacent dimensions and turn them by minus the angle; some models pair so, and some code turns so.
Should: Here half-split pairs, (i, i + D/2), should turn by plus the angle.
Step: rope/two-pairings
Kind: convention
Breaks: 2a. Pair i is dimension i and dimension i + D/2.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """(B, H, L, D) in x's dtype: (a cos - b sin, a sin + b cos) for the halves a and b of x."""
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cos + second * sin, second * cos - first * sin], dim=-1).flatten(-2)
