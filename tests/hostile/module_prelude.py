import torch
from torch import nn


class Good(nn.Module):
    """What attacks on modules are made from: the right one."""

    def __init__(self, d_model, max_len=64, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", torch.from_numpy(good(max_len, d_model)).float())  # noqa: F821

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(1)].to(x.dtype))
