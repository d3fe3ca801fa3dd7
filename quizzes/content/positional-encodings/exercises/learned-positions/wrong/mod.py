"""Does: You begin again at row 0 beyond the table, so that two tokens share a row.
Should: A sequence longer than max_len should raise an error.
Step: learned/beyond-the-table
Kind: mistake
Breaks: 5a. A sequence longer than max_len is an error.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(1), device=x.device)
        return x + self.table(positions % self.table.num_embeddings)
