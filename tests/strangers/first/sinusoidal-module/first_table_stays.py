"""Keeps one table on the class so that many modules do not compute it again.

Truth: wrong
Slips: the table kept on the class is looked up by d_model alone, so a module with another max_len has a table of the wrong length
Names: kept-between-calls
Silent: no
Says: A fair person would say: The shared table is made for the first max_len and never again: a later module with a larger max_len rejects sequences that it should take, and one with a smaller accepts too long ones. Put max_len in the key.
"""
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    _tables = {}

    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        if d_model not in self._tables:
            self._tables[d_model] = self._make(d_model, max_len)
        self.register_buffer("pe", self._tables[d_model].clone())
        self.dropout = nn.Dropout(dropout)

    @staticmethod
    def _make(d_model, max_len):
        angles = torch.outer(
            torch.arange(max_len, dtype=torch.float64),
            10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model),
        )
        table = torch.zeros(max_len, d_model)
        table[:, 0::2] = angles.sin().float()
        table[:, 1::2] = angles.cos().float()[:, : d_model // 2]
        return table

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[1] > self.pe.shape[0]:
            raise ValueError("too long")
        return self.dropout(x + self.pe[: x.shape[1]].to(x.dtype))
