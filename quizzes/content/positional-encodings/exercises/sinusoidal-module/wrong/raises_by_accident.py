"""Does: You do not check the length: slicing and adding fail by themselves for a longer sequence, but with max_len=1 the one row is added to every token without an error.
Should: A sequence longer than max_len should always raise an error.
Step: sinusoidal-values/as-a-module
Kind: mistake
Breaks: 6b. A sequence longer than max_len=1 is an error too.
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
        length = x.size(1)
        return self.dropout(x + self.pe[:length])
