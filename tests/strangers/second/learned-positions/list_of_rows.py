"""One parameter for each position in a ParameterList, stacked in forward.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct, if a little slow: every row is a parameter of its own and the order is kept.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.rows = nn.ParameterList([nn.Parameter(0.02 * torch.randn(d_model)) for _ in range(max_len)])

    def forward(self, x):
        L = x.shape[1]
        if L > len(self.rows):
            raise IndexError(f"only {len(self.rows)} positions, but the sequence has {L} tokens")
        table = torch.stack([self.rows[p] for p in range(L)])
        return x + table
