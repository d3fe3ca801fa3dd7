"""Builds the table with NumPy in double precision.

Truth: wrong
Slips: the table stays float64, so float32 input gives a float64 result; positions start at 1
Names: cast_up, pos_one
Silent: yes
Says: A fair person would say: The result must have the dtype of x, but your float64 table makes it float64: convert it. And the first token has position 0, not 1.
"""
import numpy as np
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        pe = np.zeros((max_len, d_model))
        pos = np.arange(1, max_len + 1)[:, None]
        div = np.power(10000.0, np.arange(0, d_model, 2) / d_model)
        pe[:, 0::2] = np.sin(pos / div)
        pe[:, 1::2] = np.cos(pos / div)[:, : d_model // 2]
        self.register_buffer("pe", torch.from_numpy(pe))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[1] > self.pe.shape[0]:
            raise ValueError("x is longer than the table")
        return self.dropout(x + self.pe[: x.shape[1]])
