"""One number for every diagonal, then each query takes its window of them.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.k = max_distance
        self.table = nn.Parameter(torch.randn(2 * max_distance + 1, num_heads) * 0.02)

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        rows = [min(max(r, -self.k), self.k) + self.k for r in range(1 - Lq, Lk)]
        line = self.table[rows].T  # (heads, Lq + Lk - 1)
        return line.unfold(1, Lk, 1).flip(1)
