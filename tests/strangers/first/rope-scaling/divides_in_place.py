"""Keeps the unscaled frequencies with lru_cache and divides them for the linear recipe.

Truth: wrong
Slips: the linear recipe divides the kept array in place, so the next call with the same head_dim and base is scaled twice
Names: kept-between-calls
Silent: yes
Says: A fair person would say: The array from the cache is changed by /=, so a later call starts from frequencies that are already divided. Make a new array: freqs / factor.
"""
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=None)
def inv_freq(head_dim, base):
    return base ** (-np.arange(0, head_dim, 2) / head_dim)


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    if kind == "ntk":
        return inv_freq(head_dim, base * factor ** (head_dim / (head_dim - 2))).copy()
    freqs = inv_freq(head_dim, base)
    freqs /= factor
    return freqs.copy()
