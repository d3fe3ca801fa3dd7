"""Functional dropout on the sum.

Truth: wrong
Slips: F.dropout is called without the module's mode, so it drops in eval mode too
Names: dropout_always
Silent: yes
Says: A fair person would say: F.dropout drops by default whatever the mode of the module is, so eval mode gives random results. Pass training=self.training, or use nn.Dropout.
"""
import torch
import torch.nn.functional as F
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.dropout = dropout
        i = torch.arange(d_model) // 2
        angle = torch.arange(max_len)[:, None] / 10000.0 ** (2 * i.double() / d_model)
        even = torch.arange(d_model) % 2 == 0
        self.register_buffer("pe", torch.where(even, angle.sin(), angle.cos()).float())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(-2) > len(self.pe):
            raise ValueError("more tokens than rows")
        return F.dropout(x + self.pe[: x.size(-2)].to(x.dtype), self.dropout)
