"""Does: You apply dropout to one part of the sum alone, to the encoding or to x.
Should: Dropout should act on the whole sum of x and the encoding.
Step: sinusoidal-values/as-a-module
Kind: mistake
Breaks: 4a. Dropout acts on the sum.
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
        if length > self.pe.size(0):
            raise ValueError(f"{length} tokens, but max_len is {self.pe.size(0)}")
        return x + self.dropout(self.pe[:length])
