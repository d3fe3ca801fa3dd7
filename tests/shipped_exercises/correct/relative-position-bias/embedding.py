import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads, max_distance):
        super().__init__()
        self.k = max_distance
        self.embedding = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, Lq, Lk):
        i, j = torch.arange(Lq).view(-1, 1), torch.arange(Lk).view(1, -1)
        index = torch.clamp(j - i + self.k, 0, 2 * self.k)
        return self.embedding(index).movedim(-1, 0)
