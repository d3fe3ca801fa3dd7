"""Embedding layer with the root of d_model and dropout, as in many tutorials.

Truth: wrong
Slips: x is multiplied by the root of d_model; dropout is applied to the sum
Names: scale_sqrt_d
Silent: yes
Says: A fair person would say: the result is x plus the table and nothing more. Leave out the factor sqrt(d_model) and the dropout.
"""

import math

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int, dropout: float = 0.1):
        super().__init__()
        self.d_model = d_model
        self.position_embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(1), device=x.device)
        x = x * math.sqrt(self.d_model)
        return self.dropout(x + self.position_embedding(positions))
