"""Does: You give all positions one vector, so that the model cannot tell them apart.
Should: Each position should have a row of its own.
Step: learned/a-table
Kind: mistake
Breaks: 3a. max_len * d_model numbers are trained, and nothing else.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Embedding(1, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(1), device=x.device)
        if x.size(1) > self.max_len:
            raise ValueError(f"x has {x.size(1)} tokens")
        return x + self.table(torch.zeros_like(positions))
