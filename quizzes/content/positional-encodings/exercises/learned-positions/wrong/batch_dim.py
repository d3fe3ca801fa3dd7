"""Does: You count the sequences of the batch and not the tokens: x.size(0) is the batch.
Should: Positions should go along the tokens, of which there are x.size(1).
Step: learned/a-table
Kind: mistake
Breaks: 1. x and the result have the shape (B, L, d_model): batch first.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(0), device=x.device)
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(
                f"x has {x.size(1)} tokens, expected at most max_len={self.table.num_embeddings}"
            )
        return x + self.table(positions)[:, None]
