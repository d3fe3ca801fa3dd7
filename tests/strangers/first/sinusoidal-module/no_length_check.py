"""Relies on the addition to fail for sequences that are too long.

Truth: wrong
Slips: there is no check of the length, so with max_len=1 the one row is added to every token
Names: raises_by_accident
Silent: yes
Says: A fair person would say: Slicing beyond the table raises nothing, and with max_len=1 the single row broadcasts over all tokens. Compare x.size(1) with the number of rows and raise yourself.
"""
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        pos = torch.arange(max_len).double().unsqueeze(1)
        div = 10000.0 ** (torch.arange(0, d_model, 2).double() / d_model)
        table = torch.empty(max_len, d_model)
        table[:, ::2] = torch.sin(pos / div).float()
        table[:, 1::2] = torch.cos(pos / div).float()[:, : d_model // 2]
        self.register_buffer("pe", table)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.dropout(x + self.pe[: x.shape[1]].to(x.dtype))
