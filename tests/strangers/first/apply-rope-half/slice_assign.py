"""Fills an empty tensor half by half.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import torch


def apply_rope_half(x, cos, sin):
    n = x.size(-1) // 2
    y = torch.empty_like(x)
    y[..., :n] = torch.addcmul(x[..., :n] * cos, x[..., n:], sin, value=-1)
    y[..., n:] = torch.addcmul(x[..., n:] * cos, x[..., :n], sin)
    return y
