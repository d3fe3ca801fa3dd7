"""Table from one sine with a phase, kept as a float64 buffer and cast to x.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: the dtype follows x, odd sizes work, and a sequence that is too long raises.
"""

import math
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        col = torch.arange(d_model, dtype=torch.float64)
        freq = torch.exp(-(col - col % 2) * (math.log(10000.0) / d_model))
        pos = torch.arange(max_len, dtype=torch.float64)
        self.register_buffer("pe", torch.sin(torch.outer(pos, freq) + (col % 2) * math.pi / 2))
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        missing = x.shape[1] - self.pe.shape[0]
        if missing > 0:
            raise RuntimeError(f"the table is {missing} rows too short")
        rows = self.pe.narrow(0, 0, x.shape[1]).type_as(x)
        return self.drop(torch.add(x, rows))
