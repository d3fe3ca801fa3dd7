"""Applies dropout to the token vectors and joins sines and cosines.

Truth: wrong
Slips: dropout acts on x before the table is added; all sines come before all cosines
Names: concat, dropout_on_pe_only
Silent: yes
Says: A fair person would say: Dropout belongs on the sum of x and table, not on x alone. And sines and cosines should alternate, column by column, instead of standing in two halves.
"""
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        freqs = 1.0 / 10000 ** (torch.arange(0, d_model, 2).double() / d_model)
        angles = torch.arange(max_len).double()[:, None] * freqs
        pe = torch.cat([angles.sin(), angles.cos()], dim=1)[:, :d_model].float()
        self.register_buffer("pe", pe)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n = x.size(1)
        if n > self.pe.size(0):
            raise ValueError("sequence longer than max_len")
        return self.dropout(x) + self.pe[:n].to(x.dtype)
