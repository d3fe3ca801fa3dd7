import torch
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0):
        super().__init__()
        # Make the table and register it as a buffer called "pe".

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # x has the shape (B, L, d_model).
        return x
