"""Does: Your table is a buffer or a plain tensor, so it is never trained.
Should: The table should be an nn.Parameter or an nn.Embedding.
Step: learned/counting-parameters
Kind: mistake
Breaks: 3d. The module learns one table of shape (2 * max_distance + 1, num_heads).
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """Called with Lq and Lk: (num_heads, Lq, Lk), table[clip(j - i, -k, k) + k, h] at (h, i, j)."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.register_buffer("table", torch.zeros(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        rows = relative.clamp(-k, k) + k
        return self.table[rows].permute(2, 0, 1)
