"""Fills the table with NumPy in one expression and keeps it with a leading axis of one.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The table is a buffer, too long sequences raise, and the dtype of x is kept.
"""
import numpy as np
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        col = np.arange(d_model)
        angle = np.arange(max_len)[:, None] / 10000.0 ** ((col - col % 2) / d_model)
        table = np.where(col % 2, np.cos(angle), np.sin(angle))
        self.register_buffer("pe", torch.from_numpy(table).float()[None])
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x):
        length = x.size(1)
        if length > self.pe.size(1):
            raise ValueError(f"{length} tokens, but the table has {self.pe.size(1)} rows")
        return self.dropout(torch.add(x, self.pe[:, :length].to(x.dtype)))
