"""The looked-up rows are kept and looked up again only for longer sequences.

Truth: wrong
Slips: looked-up rows are kept between calls, so later changes of the table are not seen
Names: kept-between-calls
Silent: yes
Says: A fair person would say: you keep the rows of an earlier call in self.cached, so after the table changes you still add the old numbers, and a second backward pass fails. Look the rows up in every forward.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
        self.cached = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        L = x.size(1)
        if self.cached is None or self.cached.size(0) < L:
            self.cached = self.table(torch.arange(L, device=x.device))
        return x + self.cached[:L]
