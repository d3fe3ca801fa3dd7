"""Queries at the end of the keys, and a causal mask.

Truth: wrong
Slips: query positions are shifted by Lk - Lq; later keys are masked with minus infinity
Names: end_aligned, causal
Silent: yes
Says: A fair person would say: queries and keys both count from 0, so leave out the shift by Lk - Lq. And the bias is not masked: later keys have their own rows.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        device = self.bias.weight.device
        q = torch.arange(Lk - Lq, Lk, device=device)[:, None]
        k = torch.arange(Lk, device=device)[None, :]
        rel = k - q
        idx = rel.clamp(-self.max_distance, self.max_distance) + self.max_distance
        out = self.bias(idx).permute(2, 0, 1)
        return out.masked_fill(rel > 0, float("-inf"))
