import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, *, num_heads: int, max_distance: int):
        super().__init__()
        self.table = nn.Parameter(torch.ones(2 * max_distance + 1, num_heads))

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        k = self.table.shape[0] // 2
        distance = torch.arange(Lk).repeat(Lq, 1) - torch.arange(Lq).repeat(Lk, 1).T
        index = (distance.clip(-k, k) + k).reshape(1, -1).expand(self.table.shape[1], -1)
        return self.table.T.gather(1, index).reshape(-1, Lq, Lk)
