"""Does: You put all cosines first and all sines after them, which is another order, as some diffusion models code their timesteps.
Should: Here sines and cosines should alternate: the sine of pair i in column 2i, its cosine in column 2i+1.
Step: sinusoidal-values/the-formula
Kind: convention
Breaks: 3a. Row p holds the sine of p / 10000^(2i/d_model) in column 2i.
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
        pairs = d_model // 2
        table[:, :pairs] = torch.cos(angles[:, :pairs])
        table[:, pairs:] = torch.sin(angles)
        self.register_buffer("pe", table)

    def forward(self, x):
        length = x.size(1)
        if length > self.pe.size(0):
            raise ValueError(f"{length} tokens, but max_len is {self.pe.size(0)}")
        return self.dropout(x + self.pe[:length])
