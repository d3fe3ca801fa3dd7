"""Does: You add the last L rows of the table, so the first token of a short sequence does not get row 0.
Should: Token p should get row p, whatever the length is.
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
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(
                f"x has {x.size(1)} tokens, expected at most max_len={self.table.num_embeddings}"
            )
        return x + self.table.weight[-x.size(1) :]
