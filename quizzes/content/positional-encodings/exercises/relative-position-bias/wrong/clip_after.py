"""Does: You clip the rows to the range from 0 to k, so all keys from the query's own position on share row k.
Should: The relative position should be clipped from -k to k before k is added, or the rows from 0 to 2k.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 3b. The module learns one table of shape (2 * max_distance + 1, num_heads).
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """Called with Lq and Lk: (num_heads, Lq, Lk), table[clip(j - i, -k, k) + k, h] at (h, i, j)."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        rows = (relative + k).clamp(0, k)
        return self.table[rows].permute(2, 0, 1)
