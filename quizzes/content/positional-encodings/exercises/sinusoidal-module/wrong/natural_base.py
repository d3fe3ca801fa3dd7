"""Does: You leave out the logarithm of 10000: your exp(-2i/d_model) has base e.
Should: The frequencies should be 10000^(-2i/d_model), or exp(-2i/d_model * log(10000)).
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 3a. Row p holds the sine of p / 10000^(2i/d_model) in column 2i.
"""

import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    """Adds row p of a fixed table to token p of x (B, L, d_model), then dropout.

    Raises ValueError when L > max_len.
    """

    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        positions = torch.arange(max_len, dtype=torch.float64)[:, None]
        exponents = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
        angles = positions * torch.exp(-exponents)
        table = torch.zeros(max_len, d_model)
        table[:, 0::2] = torch.sin(angles)
        table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
        self.register_buffer("pe", table)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length, most = x.size(1), self.pe.size(0)
        if length > most:
            raise ValueError(f"x has {length} tokens, expected at most max_len={most}")
        return self.dropout(x + self.pe[:length].to(x.dtype))
