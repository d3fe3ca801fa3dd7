"""Does: You take the absolute distance, so a key before the query and a key equally far after it share a row.
Should: The relative position should keep its sign.
Step: relative-bias/offsets-not-positions
Kind: mistake
Breaks: 2a. The relative position of key j for query i is j - i, clipped to the range from -k to k.
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
        relative = (torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]).abs()
        rows = relative.clamp(-k, k) + k
        return self.table[rows].permute(2, 0, 1)
