"""Does: You cut off a sequence longer than max_len without an error, so its last tokens are lost.
Should: A sequence longer than max_len should raise an error.
Step: sinusoidal-values/as-a-module
Kind: mistake
Breaks: 6a. A sequence longer than max_len is an error.
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
        length = min(length, self.pe.size(0))
        return self.dropout(x[:, :length] + self.pe[:length])
