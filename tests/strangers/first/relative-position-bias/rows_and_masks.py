"""One parameter for each row of the table, mixed with boolean masks.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct; whole rows in order are accepted as a table.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.k = max_distance
        self.heads = num_heads
        self.rows = nn.ParameterList(torch.zeros(num_heads) for _ in range(2 * max_distance + 1))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        first = self.rows[0]
        i = torch.arange(Lq, device=first.device).unsqueeze(1)
        j = torch.arange(Lk, device=first.device).unsqueeze(0)
        r = (j - i).clip(-self.k, self.k) + self.k
        out = first.new_zeros(self.heads, Lq, Lk)
        for number, row in enumerate(self.rows):
            out = torch.where(r == number, row.view(-1, 1, 1), out)
        return out
