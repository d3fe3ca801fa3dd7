"""Does: You mask the keys after the query.
Should: Every entry should be the number from the table; the causal mask is not part of the bias.
Step: relative-bias/table-lookup
Kind: mistake
Breaks: 4b. The number is neither scaled nor masked.
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
        return self.table[rows].permute(2, 0, 1).masked_fill(relative > 0, float("-inf"))
