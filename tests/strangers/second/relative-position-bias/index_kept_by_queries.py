"""The index is kept and built again when the number of queries changes.

Truth: wrong
Slips: the kept index is used again when only the number of keys has changed
Names: kept-between-calls
Silent: no
Says: A fair person would say: You build the index again only if Lq differs from the call before. A call with the same Lq and another Lk gets the old index and so a result of the wrong shape; compare both sizes or build it each time.
"""

import torch
from torch import nn


class RelativePositionBias(nn.Module):
    """One learned number for each head and relative position."""

    def __init__(self, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Embedding(2 * max_distance + 1, num_heads)
        self.register_buffer("index", torch.zeros(0, 0, dtype=torch.long), persistent=False)

    def forward(self, Lq: int, Lk: int) -> torch.Tensor:
        if self.index.shape[0] != Lq:
            device = self.index.device
            queries = torch.arange(Lq, device=device)
            keys = torch.arange(Lk, device=device)
            relative = keys[None, :] - queries[:, None]
            relative = relative.clamp(-self.max_distance, self.max_distance)
            self.index = relative + self.max_distance
        return self.table(self.index).permute(2, 0, 1)
