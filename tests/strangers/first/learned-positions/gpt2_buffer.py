"""GPT-2's way: wpe and a registered buffer of position ids.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct; the ids are a buffer and nn.Embedding or the check raises for long sequences.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.wpe = nn.Embedding(max_len, d_model)
        nn.init.normal_(self.wpe.weight, std=0.02)
        self.register_buffer("position_ids", torch.arange(max_len).unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        L = x.shape[-2]
        assert L <= self.position_ids.shape[1], "sequence too long"
        return x + self.wpe(self.position_ids[:, :L])
