import torch
from torch import nn


class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(1, max_len, d_model))
        nn.init.trunc_normal_(self.weight, std=0.02)

    def forward(self, x):
        length = x.shape[1]
        assert length <= self.weight.shape[1], "too long"
        return x + self.weight[:, :length]
