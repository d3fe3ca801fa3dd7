"""Positions count from 1 in a table with one more row, and are added with +=.

Truth: wrong
Slips: positions start at 1 with a table of max_len + 1 rows; x is changed in place
Names: none
Silent: yes
Says: A fair person would say: positions start at 0 and the table has max_len rows, so your row 0 is never used and one row is too many. And += writes into x, which must stay as it was: write x = x + ...
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.embed = nn.Embedding(max_len + 1, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(1, x.shape[1] + 1, device=x.device)
        x += self.embed(positions)
        return x
