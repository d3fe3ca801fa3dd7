"""The usual class for batch first input.

Truth: wrong
Slips: for an odd d_model there is one cosine column too many and the constructor raises
Names: odd_crash
Silent: no
Says: A fair person would say: With an odd d_model the last pair has no cosine, but you compute one, so the assignment to the odd columns fails. Cut the cosines to d_model // 2 columns.
"""
import math

import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(1) > self.pe.size(0):
            raise ValueError("x is longer than max_len")
        return self.dropout(x + self.pe[: x.size(1), :].to(x.dtype))
