"""An index matrix for a largest size is made once in __init__ and cut.

Truth: wrong
Slips: the index matrix is a plain tensor attribute, neither parameter nor buffer, so it does not move with .to()
Names: not_buffer
Silent: no
Says: A fair person would say: self.index is kept as a plain tensor and stays behind when the module moves. Register it as a buffer, or make it in forward.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))
        self.index = self.make_index(64)

    def make_index(self, n):
        p = torch.arange(n)
        rel = p[None, :] - p[:, None]
        return rel.clamp(-self.max_distance, self.max_distance) + self.max_distance

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        if max(Lq, Lk) > self.index.shape[0]:
            self.index = self.make_index(max(Lq, Lk))
        return self.table[self.index[:Lq, :Lk]].permute(2, 0, 1)
