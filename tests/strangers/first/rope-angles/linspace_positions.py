"""Takes the positions from linspace.

Truth: wrong
Slips: the positions are linspace(0, n, n), which ends at n instead of n - 1
Names: stretched
Silent: yes
Says: A fair person would say: linspace(0, n, n) has steps of n/(n-1), so every row after the first stands at a slightly too large position. Use arange(n).
"""
import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    pos = np.linspace(0, n, n).reshape(-1, 1)
    dim = np.arange(head_dim // 2).reshape(1, -1)
    angle = pos / np.power(base, 2 * dim / head_dim)
    return np.cos(angle), np.sin(angle)
