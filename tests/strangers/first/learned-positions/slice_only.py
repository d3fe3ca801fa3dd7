"""A parameter of which the first rows are sliced and added.

Truth: wrong
Slips: nothing stops a longer sequence when max_len is 1, where one row is broadcast over all tokens
Names: raises_by_accident
Silent: yes
Says: A fair person would say: with max_len=1 a longer sequence does not fail, because the one row is added to every token. Compare the length with max_len and raise an error yourself.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.pos_embed = nn.Parameter(torch.zeros(1, max_len, d_model))
        nn.init.trunc_normal_(self.pos_embed, std=0.02)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.pos_embed[:, : x.size(1)]
