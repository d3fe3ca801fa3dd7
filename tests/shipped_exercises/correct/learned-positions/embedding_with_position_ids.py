"""As GPT-2 keeps it: positions in a buffer that is not trained."""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model: int, max_len: int):
        super().__init__()
        self.wpe = nn.Embedding(max_len, d_model)
        self.register_buffer("position_ids", torch.arange(max_len)[None], persistent=False)

    def forward(self, x):
        batch, length, _ = x.size()
        if length > self.position_ids.size(1):
            raise IndexError(length)
        return self.wpe(self.position_ids[:, :length]).expand(batch, -1, -1) + x
