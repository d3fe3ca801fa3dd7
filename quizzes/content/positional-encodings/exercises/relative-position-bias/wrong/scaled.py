"""Does: You divide the numbers of the table before you return them.
Should: The bias should be returned as it is in the table, not scaled.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 4a. The number is neither scaled nor masked.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """Called with Lq and Lk: (num_heads, Lq, Lk), table[clip(j - i, -k, k) + k, h] at (h, i, j)."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance, self.num_heads = max_distance, num_heads
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        rows = relative.clamp(-k, k) + k
        return self.table[rows].permute(2, 0, 1) / self.num_heads**0.5
