"""nn.Embedding with the scaling of the original transformer.

Truth: wrong
Slips: x is multiplied by the root of d_model; the positions are counted along the batch axis, so every token of sequence b gets row b
Names: scale_sqrt_d, batch_dim
Silent: yes
Says: A fair person would say: x should be added as it is, without the factor sqrt(d_model). And the positions run along axis 1: you take the length from x.size(0), so all tokens of one sequence get the same row.
"""

import math
import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.max_len = max_len
        self.scale = math.sqrt(d_model)
        self.pos = nn.Embedding(max_len, d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if max(x.size(0), x.size(1)) > self.max_len:
            raise ValueError(f"sequence longer than {self.max_len}")
        positions = torch.arange(x.size(0), device=x.device).unsqueeze(1)
        return x * self.scale + self.pos(positions)
