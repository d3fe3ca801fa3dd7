"""One-hot rows times the table.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: the one-hot product reads exactly one row for each pair, and the gradient gets there.
"""

import torch
from torch import nn
import torch.nn.functional as F


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.k = max_distance
        self.weight = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        device = self.weight.device
        rel = torch.arange(Lk, device=device)[None, :] - torch.arange(Lq, device=device)[:, None]
        row = rel.clamp(-self.k, self.k) + self.k
        chosen = F.one_hot(row, 2 * self.k + 1).to(self.weight.dtype)
        return torch.einsum("qkr,rh->hqk", chosen, self.weight)
