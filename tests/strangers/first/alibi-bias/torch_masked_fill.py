"""PyTorch version with a cached tuple of slopes, masked_fill and a float32 tensor as result.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct; a tensor is accepted and the cache of the slopes depends on the number of heads alone.
"""

import math
from functools import lru_cache

import numpy as np
import torch


@lru_cache(maxsize=None)
def _slopes(n_heads):
    closest = 2 ** math.floor(math.log2(n_heads))
    base = 2.0 ** (-8.0 / closest)
    out = [base ** (i + 1) for i in range(closest)]
    if closest != n_heads:
        extra_base = 2.0 ** (-4.0 / closest)
        for i in range(n_heads - closest):
            out.append(extra_base ** (2 * i + 1))
    return tuple(out)


def alibi_bias(n_heads: int, Lq: int, Lk: int):
    q_pos = torch.arange(Lk - Lq, Lk).view(1, Lq, 1)
    k_pos = torch.arange(Lk).view(1, 1, Lk)
    m = torch.tensor(_slopes(n_heads), dtype=torch.float32).view(-1, 1, 1)
    bias = (k_pos - q_pos).float() * m
    return bias.masked_fill(k_pos > q_pos, float("-inf"))
