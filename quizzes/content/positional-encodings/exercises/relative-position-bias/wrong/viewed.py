"""Does: You reshape the numbers to (num_heads, Lq, Lk), which leaves them in the order of the table's rows and so mixes heads, queries and keys.
Should: The axis of the heads should be moved to the front, as permute(2, 0, 1) does.
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
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        rows = relative.clamp(-k, k) + k
        return self.table[rows].reshape(-1, Lq, Lk)
