"""Does: You fill every column with a sine, so the two columns of a pair are equal.
Should: The odd columns should hold the cosine of the same angle.
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
        angles = positions * 10000.0**-exponents
        table = torch.zeros(max_len, d_model)
        table[:, 0::2] = torch.sin(angles)
        table[:, 1::2] = torch.sin(angles[:, : d_model // 2])
        self.register_buffer("pe", table)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length, most = x.size(1), self.pe.size(0)
        if length > most:
            raise ValueError(f"x has {length} tokens, expected at most max_len={most}")
        return self.dropout(x + self.pe[:length].to(x.dtype))
