"""Does: You add the whole table, which works only for sequences of exactly max_len tokens.
Should: You should add its first L rows.
Step: learned/a-table
Kind: mistake
Breaks: 2b. Row p is added to token p of every sequence; positions start at 0.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table.weight
