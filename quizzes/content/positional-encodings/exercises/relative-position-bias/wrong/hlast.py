"""Does: You return the heads as the last axis, in the shape (Lq, Lk, num_heads).
Should: The heads should be the first axis: (num_heads, Lq, Lk).
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 1a. The result has the shape (num_heads, Lq, Lk).
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
        rows = relative.clamp(-k, k) + k
        return self.table[rows]
