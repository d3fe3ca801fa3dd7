import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads, max_distance):
        super().__init__()
        self.num_heads = num_heads
        self.k = max_distance
        self.embedding = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, Lq, Lk):
        device = self.embedding.weight.device
        distance = torch.arange(Lk, device=device)[None] - torch.arange(Lq, device=device)[:, None]
        index = torch.clamp(distance, -self.k, self.k) + self.k
        return self.embedding(index).view(self.num_heads, Lq, Lk)
