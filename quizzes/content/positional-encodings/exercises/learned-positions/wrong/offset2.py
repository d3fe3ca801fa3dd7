"""Does: Your table has two rows more, and your first token uses row 2, as in BART.
Should: Here the table should have max_len rows, and the first token should use row 0.
Step: learned/a-table
Kind: convention
Breaks: 3a. max_len * d_model numbers are trained, and nothing else.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len + 2, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(1), device=x.device)
        if x.size(1) > self.table.num_embeddings - 2:
            raise ValueError(f"x has {x.size(1)} tokens")
        return x + self.table(positions + 2)
