"""Positions beyond the table are clamped to its last row.

Truth: wrong
Slips: a sequence longer than max_len is not an error, its last tokens all get the last row
Names: clamp
Silent: yes
Says: A fair person would say: you clamp the positions, so a sequence that is too long gets through with the last row repeated. It should raise an error.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.max_len = max_len
        self.weight = nn.Parameter(torch.empty(max_len, d_model).uniform_(-0.1, 0.1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.ones_like(x[..., 0], dtype=torch.long).cumsum(dim=1) - 1
        positions = positions.clamp(max=self.max_len - 1)
        return x + nn.functional.embedding(positions, self.weight)
