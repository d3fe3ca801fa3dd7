"""nn.Embedding whose looked-up rows are kept in a dict by sequence length.

Truth: wrong
Slips: the looked-up rows are kept from the first call of each length, so later changes of the table are not seen
Names: kept-between-calls
Silent: yes
Says: A fair person would say: After a training step the table has new numbers, but a call with a length seen before still adds the old rows from your dict (which does not move with .to() either). Look the rows up in every call.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    """Adds row p of a learned table to token p of x."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)
        self.cache = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        L = x.size(1)
        if L > self.max_len:
            raise ValueError("sequence is too long")
        if L not in self.cache:
            positions = torch.arange(L, device=x.device)
            self.cache[L] = self.embedding(positions)
        return x + self.cache[L].unsqueeze(0)
