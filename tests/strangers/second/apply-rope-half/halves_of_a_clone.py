"""Clones x and writes the two halves of the clone one after the other.

Truth: wrong
Slips: the second half is computed from the first half after that was overwritten
Names: overwritten
Silent: yes
Says: A fair person would say: a is a view of the clone, so when you compute the second half it already holds the turned numbers. Keep the old first half (take it from x, or clone it) before you write.
"""

import torch


def apply_rope_half(
    x: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
) -> torch.Tensor:
    out = x.clone()
    half = x.shape[-1] // 2
    a = out[..., :half]
    b = out[..., half:]
    out[..., :half] = a * cos - b * sin
    out[..., half:] = a * sin + b * cos
    return out
