"""Absolute distances and a division by the root of the number of heads.

Truth: wrong
Slips: the absolute distance is used, so keys before and after share a row and half the table is never read; the bias is scaled by one over the root of the number of heads
Names: abs, scaled
Silent: yes
Says: A fair person would say: keys before and after the query have different rows, so do not take the absolute value; use j - i clipped, plus k. And the numbers are not scaled.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.scale = num_heads**-0.5
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        i = torch.arange(Lq, device=self.table.device)[:, None]
        j = torch.arange(Lk, device=self.table.device)[None, :]
        distance = (j - i).abs().clamp(max=self.max_distance)
        return self.scale * self.table[distance + self.max_distance].permute(2, 0, 1)
