"""nn.Embedding read by an index matrix and permuted.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.relative_attention_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        device = self.relative_attention_bias.weight.device
        context_position = torch.arange(Lq, dtype=torch.long, device=device)[:, None]
        memory_position = torch.arange(Lk, dtype=torch.long, device=device)[None, :]
        relative_position = memory_position - context_position
        relative_position = relative_position.clamp(-self.max_distance, self.max_distance)
        values = self.relative_attention_bias(relative_position + self.max_distance)
        return values.permute(2, 0, 1)
