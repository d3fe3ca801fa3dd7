"""Computes each table once for all modules of the same size and gives each module a copy.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The tables are kept by width and length, and each module owns a copy.
"""
import functools
import math

import torch
from torch import nn


@functools.lru_cache(maxsize=None)
def _table(d_model, max_len):
    rows = []
    for p in range(max_len):
        row = []
        for c in range(d_model):
            x = p / 10000.0 ** (2 * (c // 2) / d_model)
            row.append((math.sin, math.cos)[c % 2](x))
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32)


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.drop = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        self.register_buffer("pe", _table(d_model, max_len).clone())

    def forward(self, x):
        if x.shape[1] > self.pe.shape[0]:
            raise IndexError("too many tokens")
        return self.drop(x + self.pe[: x.shape[1]].to(dtype=x.dtype))
