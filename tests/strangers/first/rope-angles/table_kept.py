"""Keeps the tables in a module-level dictionary so that they are computed once.

Truth: wrong
Slips: the kept tables are looked up by n and head_dim only, so a second call with another base gets the first base's tables
Names: kept-between-calls
Silent: yes
Says: A fair person would say: Your cache forgets the base: a call with the same n and head_dim but another base gets the old tables. Put base in the key.
"""
import numpy as np

_TABLES = {}


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    if (n, head_dim) not in _TABLES:
        inv_freq = 1.0 / base ** (np.arange(0, head_dim, 2) / head_dim)
        angles = np.outer(np.arange(n), inv_freq)
        _TABLES[n, head_dim] = np.cos(angles), np.sin(angles)
    cos, sin = _TABLES[n, head_dim]
    return cos.copy(), sin.copy()
