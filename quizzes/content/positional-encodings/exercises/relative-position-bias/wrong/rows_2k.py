"""Does: Your table has 2k rows, so the relative position k has no row of its own.
Should: The table should have 2k + 1 rows, because there are 2k + 1 relative positions from -k to k.
Step: relative-bias/clipping
Kind: mistake
Breaks: 3a. The module learns one table of shape (2 * max_distance + 1, num_heads).
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """Called with Lq and Lk: (num_heads, Lq, Lk), table[clip(j - i, -k, k) + k, h] at (h, i, j)."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        rows = (relative.clamp(-k, k) + k).clamp(max=2 * k - 1)
        return self.table[rows].permute(2, 0, 1)
