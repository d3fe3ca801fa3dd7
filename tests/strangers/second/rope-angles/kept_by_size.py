"""The tables are computed once for each size and kept in a dict.

Truth: wrong
Slips: the kept tables are found by n and head_dim alone, so a later call with another base gets those of the first
Names: kept-between-calls
Silent: yes
Says: A fair person would say: The first call is right, but the key of your dict leaves out base: asking for the same size with base 500 000 returns the tables of the earlier base. Put base into the key too.
"""

import numpy as np

_tables = {}


def rope_cos_sin(
    n: int,
    head_dim: int,
    base: float = 10000.0,
) -> tuple[np.ndarray, np.ndarray]:
    """The cosines and the sines of all angles."""
    key = (n, head_dim)
    if key not in _tables:
        inv_freq = 1.0 / base ** (np.arange(0, head_dim, 2) / head_dim)
        angles = np.arange(n)[:, None] * inv_freq[None, :]
        _tables[key] = (np.cos(angles), np.sin(angles))
    cos, sin = _tables[key]
    return cos.copy(), sin.copy()
