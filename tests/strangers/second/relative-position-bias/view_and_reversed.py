"""An nn.Embedding read at query minus key and viewed as (heads, Lq, Lk).

Truth: wrong
Slips: relative position is query minus key; the head axis is brought to the front by view instead of permute
Names: sign, viewed
Silent: yes
Says: A fair person would say: The relative position is j - i, key minus query; yours is reversed. And view only cuts the numbers anew, it does not move the axis of the heads: use permute(2, 0, 1).
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.num_heads = num_heads
        self.max_distance = max_distance
        self.bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        device = self.bias.weight.device
        i = torch.arange(Lq, device=device).unsqueeze(1)
        j = torch.arange(Lk, device=device).unsqueeze(0)
        rel = torch.clamp(i - j, min=-self.max_distance, max=self.max_distance)
        values = self.bias(rel + self.max_distance)  # (Lq, Lk, heads)
        return values.view(self.num_heads, Lq, Lk)
