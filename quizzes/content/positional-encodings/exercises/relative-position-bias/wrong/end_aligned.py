"""Does: You count the queries from the end, as with a cache, so your last query and the last key are at the same position.
Should: Here query 0 and key 0 should be at the same position.
Step: relative-bias/clipping
Kind: convention
Breaks: 2b. The relative position of key j for query i is j - i; both count from 0.
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
        relative = torch.arange(Lk)[None, :] - (torch.arange(Lq) + Lk - Lq)[:, None]
        rows = relative.clamp(-k, k) + k
        return self.table[rows].permute(2, 0, 1)
