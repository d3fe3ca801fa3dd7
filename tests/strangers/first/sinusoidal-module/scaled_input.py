"""Scales the token vectors as the paper does for embeddings, then adds the table.

Truth: wrong
Slips: x is multiplied by sqrt(d_model)
Names: scale_sqrt_d
Silent: yes
Says: A fair person would say: The paper scales the embeddings in the embedding layer, not here: the result is x plus the table. Leave out the factor sqrt(d_model).
"""
import math

import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)
        pos = torch.arange(max_len, dtype=torch.float32)[:, None]
        inv = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(pos * inv)
        pe[:, 1::2] = torch.cos(pos * inv[: d_model // 2])
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        L = x.size(1)
        if L > self.pe.size(1):
            raise ValueError(f"length {L} is more than max_len")
        x = x * math.sqrt(self.d_model)
        return self.dropout(x + self.pe[:, :L].to(x.dtype))
