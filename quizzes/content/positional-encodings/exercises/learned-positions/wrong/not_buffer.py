"""Does: You keep the positions as a plain attribute. .to(device) leaves them behind, so your module fails on another device.
Should: They should be made in forward on x.device, or be registered with register_buffer.
Step: sinusoidal-values/as-a-module
Kind: mistake
Breaks: 7a. Everything in the module moves with .to().
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x (B, L, d_model). Raises when L > max_len."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
        self.positions = torch.arange(max_len)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(1) > self.table.num_embeddings:
            raise ValueError(
                f"x has {x.size(1)} tokens, expected at most max_len={self.table.num_embeddings}"
            )
        return x + self.table(self.positions[: x.size(1)])
