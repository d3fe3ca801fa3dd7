"""Does: You raise no error for a long sequence when max_len=1: the only row is added to every token.
Should: The length should be compared with max_len.
Step: learned/beyond-the-table
Kind: mistake
Breaks: 5b. A sequence longer than max_len is an error.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table.weight[: x.size(1)]
