"""Keeps the longest table for each width and slices it.

Truth: wrong
Slips: the kept table is found by d only, so another base gets the table of the first
Names: kept-between-calls
Silent: yes
Says: A fair person would say: The kept table depends on base too, but your dictionary is keyed by d alone. A second call with another base gets the wrong table.
"""
import numpy as np

_longest = {}


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    kept = _longest.get(d)
    if kept is None or kept.shape[0] < n:
        pos = np.arange(n)[:, None]
        div = base ** (np.arange(0, d, 2) / d)
        kept = np.zeros((n, d))
        kept[:, 0::2] = np.sin(pos / div)
        kept[:, 1::2] = np.cos(pos / div)[:, : d // 2]
        _longest[d] = kept
    return kept[:n].copy()
