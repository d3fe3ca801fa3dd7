"""Index from query minus key.

Truth: wrong
Slips: the relative position is i - j instead of j - i
Names: sign
Silent: yes
Says: A fair person would say: you take query minus key, so keys before the query read the last rows. The relative position is j - i.
"""

import torch
import torch.nn.functional as F
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.k = max_distance
        self.weight = nn.Parameter(torch.randn(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        i = torch.arange(Lq, device=self.weight.device)
        j = torch.arange(Lk, device=self.weight.device)
        rel = torch.clamp(i.view(-1, 1) - j.view(1, -1), min=-self.k, max=self.k)
        return F.embedding(rel + self.k, self.weight).movedim(-1, 0)
