"""Does: You let far positions wrap around with a modulo, so they read rows of other distances.
Should: Far positions should be clipped: those before share row 0, those after row 2k.
Step: relative-bias/clipping
Kind: mistake
Breaks: 2c. The relative position of key j for query i is j - i, clipped to the range from -k to k.
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
        rows = (relative + k) % (2 * k + 1)
        return self.table[rows].permute(2, 0, 1)
