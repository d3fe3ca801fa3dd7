"""One parameter for each position, stacked when they are used.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct; a table in several parameters is fine, with whole rows in order.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.rows = nn.ParameterList([nn.Parameter(torch.zeros(d_model)) for _ in range(max_len)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tokens = x.unbind(dim=1)
        if len(tokens) > len(self.rows):
            raise IndexError(f"{len(tokens)} tokens, but only {len(self.rows)} positions")
        return torch.stack([t + row for t, row in zip(tokens, self.rows)], dim=1)
