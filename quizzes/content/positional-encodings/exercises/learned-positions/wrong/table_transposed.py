"""Does: Your table has the shape (d_model, max_len).
Should: It should have one row for each position and one column for each dimension.
Step: learned/counting-parameters
Kind: mistake
Breaks: 3b. The table has one row for each of max_len positions and one column for each of d_model dimensions.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(d_model, max_len))

    def forward(self, x):
        if x.size(1) > self.table.size(1):
            raise ValueError(f"{x.size(1)} tokens, but max_len is {self.table.size(1)}")
        return x + self.table.T[: x.size(1)]
