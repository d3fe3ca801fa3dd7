"""The class of the PyTorch tutorial with the table as (max_len, 1, d_model).

Truth: wrong
Slips: the rows are taken along the batch axis, so every token of sequence b gets row b
Names: seq_first
Silent: yes
Says: A fair person would say: This is the tutorial's class for sequences first. Here the batch comes first, so row b is added to all tokens of sequence b; make the table (1, max_len, d_model) and cut it with x.size(1).
"""

import math
import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)[:, : d_model // 2]
        self.register_buffer("pe", pe)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(1) > self.max_len:
            raise ValueError(f"sequence longer than {self.max_len}")
        x = x + self.pe[: x.size(0)].to(x.dtype)
        return self.dropout(x)
