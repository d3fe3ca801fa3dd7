"""Table made with NumPy and turned into a buffer.

Truth: wrong
Slips: the table stays float64 and is not cast, so the result is float64 for a float32 input
Names: cast_up
Silent: no
Says: A fair person would say: The numbers are right, but NumPy makes float64 and adding that to a float32 x gives float64. Cast the rows to x.dtype before you add.
"""

import numpy as np
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        angles = np.arange(max_len)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
        table = np.zeros((max_len, d_model))
        table[:, 0::2] = np.sin(angles)
        table[:, 1::2] = np.cos(angles)[:, : d_model // 2]
        self.register_buffer("pe", torch.from_numpy(table))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        L = x.shape[1]
        if L > self.pe.shape[0]:
            raise ValueError("sequence is longer than max_len")
        return self.dropout(x + self.pe[:L])
