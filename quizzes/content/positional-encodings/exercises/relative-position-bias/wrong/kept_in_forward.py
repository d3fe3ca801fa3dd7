"""Does: You store a tensor as an attribute in forward, so .to(device) leaves it behind and your module fails on another device.
Should: It should be made in every call, or be a buffer.
Step: sinusoidal-values/as-a-module
Kind: mistake
Breaks: 6b. Do not store any other tensor as an attribute, not in forward.
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
        self.rows = relative.clamp(-k, k) + k
        return self.table[self.rows].permute(2, 0, 1)
