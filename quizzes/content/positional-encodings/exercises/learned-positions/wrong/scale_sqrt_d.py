"""Does: You multiply x by the root of d_model, as some models do in their embedding layer.
Should: The result should be x itself plus the rows of the table.
Step: learned/counting-parameters
Kind: mistake
Breaks: 2a. The result is x plus the table.
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
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(
                f"x has {x.size(1)} tokens, expected at most max_len={self.table.num_embeddings}"
            )
        return x * x.size(-1) ** 0.5 + self.table(positions)
