"""Does: You train something beside the table, such as a factor or a second table.
Should: The numbers of the table should be all that is trained.
Step: learned/counting-parameters
Kind: mistake
Breaks: 3e. Nothing else is trained.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """Called with Lq and Lk: (num_heads, Lq, Lk), table[clip(j - i, -k, k) + k, h] at (h, i, j)."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))
        self.unused = nn.Parameter(torch.ones(num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        rows = relative.clamp(-k, k) + k
        return self.table[rows].permute(2, 0, 1)
