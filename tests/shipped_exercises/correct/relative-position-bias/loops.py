import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads, max_distance):
        super().__init__()
        self.num_heads, self.max_distance = num_heads, max_distance
        self.numbers = nn.Parameter(torch.randn(2 * max_distance + 1, num_heads) * 0.02)

    def forward(self, Lq, Lk):
        heads = []
        for head in range(self.num_heads):
            rows = []
            for i in range(Lq):
                places = [max(-self.max_distance, min(self.max_distance, j - i)) for j in range(Lk)]
                rows.append(
                    torch.stack([self.numbers[r + self.max_distance, head] for r in places])
                )
            heads.append(torch.stack(rows))
        return torch.stack(heads)
