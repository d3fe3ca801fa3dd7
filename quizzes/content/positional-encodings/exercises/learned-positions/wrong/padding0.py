"""Does: You set padding_idx=0, which keeps row 0 from being trained.
Should: Row 0 should be trained too: it belongs to the first token, not to padding.
Step: learned/where-gradients-go
Kind: mistake
Breaks: 4b. The gradient reaches every row that is used, row 0 too.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model, padding_idx=0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(1), device=x.device)
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(
                f"x has {x.size(1)} tokens, expected at most max_len={self.table.num_embeddings}"
            )
        return x + self.table(positions)
