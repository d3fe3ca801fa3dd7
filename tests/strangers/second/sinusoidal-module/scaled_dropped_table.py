"""The table is dropped out and added to the scaled tokens.

Truth: wrong
Slips: x is multiplied by the root of d_model; dropout acts on the table alone instead of the sum
Names: scale_sqrt_d, dropout_on_pe_only
Silent: yes
Says: A fair person would say: Nothing is to be scaled here: add the rows to x as it is, without sqrt(d_model). And dropout belongs around the sum; yours leaves the tokens always there.
"""

import math
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)
        pos = torch.arange(max_len, dtype=torch.float32)[:, None]
        i = torch.arange(0, d_model, 2, dtype=torch.float32)
        angle = pos / torch.pow(torch.tensor(10000.0), i / d_model)
        pe = torch.zeros(1, max_len, d_model)
        pe[0, :, 0::2] = torch.sin(angle)
        pe[0, :, 1::2] = torch.cos(angle[:, : d_model // 2])
        self.register_buffer("pe", pe)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seq_len = x.size(1)
        if seq_len > self.pe.size(1):
            raise ValueError(f"got {seq_len} tokens, but max_len is {self.pe.size(1)}")
        pe = self.pe[:, :seq_len].to(x.dtype)
        return x * math.sqrt(self.d_model) + self.dropout(pe)
