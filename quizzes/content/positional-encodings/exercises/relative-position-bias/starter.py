import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """One learned number for each head and relative position."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.num_heads = num_heads
        # Make the table here.

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        # Read it for every query and key, in every head.
        return torch.zeros(Lq, Lk)
