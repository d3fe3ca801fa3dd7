"""Does: You take rows by dimension 0 of x, as PyTorch's tutorial does for (L, B, d_model), so every token of a sequence gets the same row; and you do not check the length.
Should: Token p should get row p, by dimension 1 of x, and a sequence longer than max_len should raise an error.
Step: sinusoidal-values/as-a-module
Kind: mistake
Breaks: 1. x and the result have the shape (B, L, d_model), batch first.
"""

import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        positions = torch.arange(max_len)[:, None]
        inv_freq = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
        angles = positions * inv_freq
        table = torch.zeros(max_len, d_model)
        table[:, 0::2] = torch.sin(angles)
        table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
        self.register_buffer("pe", table)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0), None])
