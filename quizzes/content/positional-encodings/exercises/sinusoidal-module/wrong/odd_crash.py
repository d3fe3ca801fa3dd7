"""Does: Your code raises an error for an odd d_model, as code does that computes as many cosines as sines.
Should: There should be one cosine fewer: cut the angles to d_model // 2 columns for the cosines.
Step: sinusoidal-values/code-it
Kind: mistake
Breaks: 3d. d_model may be odd.
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
        length = x.size(1)
        if length > self.pe.size(0):
            raise ValueError(f"{length} tokens, but max_len is {self.pe.size(0)}")
        return self.dropout(x + self.pe[:length])
