"""Does: Your table has k + 1 rows, one for each distance, so a key before the query and a key equally far after it share a row.
Should: There should be 2k + 1 rows, so that keys before and after the query have rows of their own.
Step: relative-bias/offsets-not-positions
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
        self.table = nn.Parameter(torch.zeros(max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        rows = relative.abs().clamp(max=k)
        return self.table[rows].permute(2, 0, 1)
