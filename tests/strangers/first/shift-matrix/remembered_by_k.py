"""Remembers every matrix that was built.

Truth: wrong
Slips: the remembered matrix is looked up by k and d, without base
Names: kept-between-calls
Silent: yes
Says: A fair person would say: Your memory ignores base: after shift(3, 8) the call with another base gives the same matrix. The key needs all three arguments.
"""
import numpy as np

_memo = {}


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    if (k, d) in _memo:
        return _memo[(k, d)].copy()
    M = np.zeros((d, d))
    even = np.arange(0, d, 2)
    odd = even + 1
    ang = k * np.power(base, -even / d)
    M[even, even] = np.cos(ang)
    M[odd, odd] = np.cos(ang)
    M[even, odd] = np.sin(ang)
    M[odd, even] = -np.sin(ang)
    _memo[(k, d)] = M
    return M.copy()
