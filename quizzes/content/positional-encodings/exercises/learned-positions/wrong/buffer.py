"""Does: You keep the table as a buffer or a plain tensor, so that it is never trained.
Should: It should be an nn.Embedding or an nn.Parameter.
Step: learned/counting-parameters
Kind: mistake
Breaks: 3c. max_len * d_model numbers are trained, and nothing else.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.register_buffer("table", 0.02 * torch.randn(max_len, d_model))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(1), device=x.device)
        if x.size(1) > self.table.size(0):
            raise ValueError(f"x has {x.size(1)} tokens")
        return x + self.table[positions]
