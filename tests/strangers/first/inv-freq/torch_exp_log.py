"""The exponential of a logarithm as in the PyTorch tutorial.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct; a tensor is accepted.
"""

import math

import torch


def inv_freq(d: int, base: float = 10000.0):
    return torch.exp(torch.arange(0, d, 2, dtype=torch.float64) * (-math.log(base) / d))
