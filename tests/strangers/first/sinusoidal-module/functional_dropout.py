"""Uses torch.polar for the table, an embedding lookup for the rows and functional dropout.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The lookup raises for rows that do not exist, and dropout follows the mode of the module.
"""
import torch
import torch.nn.functional as F
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    pe: torch.Tensor

    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.p = dropout
        freq = torch.pow(1e4, -torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        angle = torch.outer(torch.arange(max_len, dtype=torch.float64), freq)
        z = torch.polar(torch.ones_like(angle), angle)
        table = torch.stack((z.imag, z.real), dim=-1).flatten(1)[:, :d_model]
        self.register_buffer("pe", table.float().contiguous())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ids = torch.arange(x.shape[1], device=x.device)
        assert len(ids) <= len(self.pe), "sequence is longer than the table"
        rows = F.embedding(ids, self.pe).type_as(x)
        return F.dropout(x + rows, p=self.p, training=self.training)
