"""Takes the halves, turns them, and stacks and flattens the results.

Truth: wrong
Slips: the results are interleaved instead of put back in their halves
Names: halves_interleaved
Silent: yes
Says: A fair person would say: the pairs are turned rightly but you weave the two results together. Put the halves side by side again with torch.cat.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    d = x.shape[-1] // 2
    x1, x2 = x[..., :d], x[..., d:]
    o1 = x1 * cos - x2 * sin
    o2 = x1 * sin + x2 * cos
    return torch.stack((o1, o2), dim=-1).flatten(-2)
