"""Does: You keep positions or distances as a plain attribute, so .to(device) leaves them behind.
Should: They should be a buffer (register_buffer), or be made in forward on the device of the table.
Step: sinusoidal-values/as-a-module
Kind: mistake
Breaks: 6a. Everything in the module moves with .to().
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """Called with Lq and Lk: (num_heads, Lq, Lk), table[clip(j - i, -k, k) + k, h] at (h, i, j)."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))
        self.positions = torch.arange(4096)

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.max_distance
        relative = self.positions[None, :Lk] - self.positions[:Lq, None]
        rows = relative.clamp(-k, k) + k
        return self.table[rows].permute(2, 0, 1)
