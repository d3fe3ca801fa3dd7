"""Does: Like PyTorch's tutorial, your code expects (L, B, d_model), so all tokens of a sequence get the same row; an odd d_model fails, and the length is not checked.
Should: Rows should be taken by x.size(1), cosines should fill d_model // 2 columns, and a longer sequence should raise an error.
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
        table[:, 1::2] = torch.cos(angles)
        self.register_buffer("pe", table)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0), None])
