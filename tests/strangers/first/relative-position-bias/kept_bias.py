"""Keeps the finished bias for sizes it has seen.

Truth: wrong
Slips: the finished bias is kept by its sizes, so later changes of the table are not seen
Names: kept-between-calls
Silent: yes
Says: A fair person would say: you keep the finished bias in self.seen, so after a training step the old numbers come back, and they do not move with .to(). Only the row numbers may be kept, as a buffer; read the table in every forward.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.emb = nn.Embedding(2 * max_distance + 1, num_heads)
        self.seen = {}

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        if (Lq, Lk) not in self.seen:
            q = torch.arange(Lq, device=self.emb.weight.device)
            k = torch.arange(Lk, device=self.emb.weight.device)
            rel = (k[None, :] - q[:, None]).clamp(-self.max_distance, self.max_distance)
            self.seen[Lq, Lk] = self.emb(rel + self.max_distance).permute(2, 0, 1)
        return self.seen[Lq, Lk]
