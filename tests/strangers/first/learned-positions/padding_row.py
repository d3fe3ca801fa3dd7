"""nn.Embedding with padding_idx=0.

Truth: wrong
Slips: padding_idx=0 keeps the gradient away from row 0
Names: padding0
Silent: no
Says: A fair person would say: with padding_idx=0 the first row gets no gradient and is never trained. Row 0 is the first position here, so leave padding_idx out.
"""

import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model, padding_idx=0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch_size, seq_len, _ = x.shape
        positions = torch.arange(seq_len, device=x.device).expand(batch_size, seq_len)
        return x + self.embedding(positions)
