import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads, max_distance):
        super().__init__()
        self.before = nn.Parameter(torch.zeros(max_distance, num_heads))
        self.same = nn.Parameter(torch.zeros(num_heads))
        self.after = nn.Parameter(torch.zeros(max_distance, num_heads))

    def forward(self, Lq, Lk):
        k = len(self.before)
        table = torch.cat([self.before, self.same[None], self.after])
        offsets = torch.arange(Lk) - torch.arange(Lq)[:, None]
        return table.T[:, offsets.clamp(-k, k) + k]
