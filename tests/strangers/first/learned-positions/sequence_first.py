"""The table sliced by the first dimension, as in the tutorial's encoding.

Truth: wrong
Slips: rows go with the first dimension, the batch, instead of with the tokens
Names: batch_dim
Silent: yes
Says: A fair person would say: x is batch first, and you take its first dimension for the length, so every token of one sequence gets the same row. Use x.size(1) and add the rows along that dimension.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.pe = nn.Parameter(torch.randn(max_len, 1, d_model))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if max(x.size(0), x.size(1)) > self.pe.size(0):
            raise ValueError("sequence is longer than max_len")
        return x + self.pe[: x.size(0)]
