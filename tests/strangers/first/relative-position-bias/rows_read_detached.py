"""The table is read through .data.

Truth: wrong
Slips: the table is read through .data, so no gradient reaches it
Names: detach
Silent: no
Says: A fair person would say: the numbers are right, but .data cuts the gradient, so the table is never trained. Index the parameter itself.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.num_heads = num_heads
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        out = torch.zeros(self.num_heads, Lq, Lk, device=self.table.device)
        for i in range(Lq):
            for j in range(Lk):
                r = max(-self.max_distance, min(self.max_distance, j - i))
                out[:, i, j] = self.table.data[r + self.max_distance]
        return out
