"""Does: You use a single column for all heads.
Should: Each head should learn numbers of its own, in a column of its own.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 3c. The module learns one table of shape (2 * max_distance + 1, num_heads).
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """Called with Lq and Lk: (num_heads, Lq, Lk), table[clip(j - i, -k, k) + k, h] at (h, i, j)."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance, self.num_heads = max_distance, num_heads
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, 1))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        rows = relative.clamp(-k, k) + k
        return self.table[rows].expand(-1, -1, self.num_heads).permute(2, 0, 1)
