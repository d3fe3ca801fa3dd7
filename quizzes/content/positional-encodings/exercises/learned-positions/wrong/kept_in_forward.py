"""Does: You store a tensor as an attribute in forward, so .to(device) leaves it behind and your module fails on another device.
Should: It should be made in every call, or be a buffer.
Step: sinusoidal-values/as-a-module
Kind: mistake
Breaks: 7b. Do not store any other tensor as an attribute, not in forward.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.positions = torch.arange(x.size(1), device=x.device)
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(
                f"x has {x.size(1)} tokens, expected at most max_len={self.table.num_embeddings}"
            )
        return x + self.table(self.positions)
