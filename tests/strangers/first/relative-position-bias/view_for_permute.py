"""The looked-up values are brought into shape with view.

Truth: wrong
Slips: the values are reshaped to heads first instead of permuted
Names: viewed
Silent: yes
Says: A fair person would say: view only relabels the numbers, so heads and keys get mixed up. Move the last dimension to the front with permute(2, 0, 1).
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.num_heads = num_heads
        self.max_distance = max_distance
        self.bias_table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))
        nn.init.trunc_normal_(self.bias_table, std=0.02)

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        dev = self.bias_table.device
        coords = torch.arange(Lk, device=dev)[None] - torch.arange(Lq, device=dev)[:, None]
        index = coords.clamp(-self.max_distance, self.max_distance) + self.max_distance
        bias = self.bias_table[index.view(-1)]
        return bias.view(self.num_heads, Lq, Lk)
