"""Keeps the table as a parameter without gradient and adds it in place.

Truth: wrong
Slips: pe is a parameter instead of a buffer; x is changed in place
Names: inplace
Silent: no
Says: A fair person would say: The table should be registered with register_buffer, because a parameter is listed in parameters() even without a gradient. And += changes the caller's x, so write x + pe.
"""
import math

import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(max_len).unsqueeze(1).float()
        div = torch.exp(torch.arange(0, d_model, 2).float() * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div)
        pe[:, 1::2] = torch.cos(position * div[: d_model // 2])
        self.pe = nn.Parameter(pe.unsqueeze(0), requires_grad=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(1) > self.pe.size(1):
            raise RuntimeError("x is too long")
        x += self.pe[:, : x.size(1)].to(x.dtype)
        return self.dropout(x)
