"""Counts with searchsorted how many row borders lie below each relative position.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct; a tensor of whole numbers is accepted.
"""

import torch


def relative_index(Lq: int, Lk: int, k: int):
    relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
    borders = torch.arange(-k, k)
    return torch.bucketize(relative, borders)
