"""Compares the recipe's name after making it upper case and keeps results between calls.

Truth: wrong
Slips: results are kept by head_dim, base and kind without factor; the ntk exponent is D/(D-1)
Names: kept-between-calls, ntk_exp_d
Silent: yes
Says: A fair person would say: The cache key lacks factor, so a second factor gets the first one's answer. And the exponent for ntk is D/(D-2), not D/(D-1).
"""
import numpy as np

_seen = {}


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    key = f"{head_dim}-{base}-{kind}"
    if key in _seen:
        return _seen[key].copy()
    exps = np.arange(0, head_dim, 2) / head_dim
    if kind.upper() == "NTK":
        freqs = (base * factor ** (head_dim / (head_dim - 1))) ** -exps
    else:
        freqs = base**-exps / factor
    _seen[key] = freqs
    return freqs.copy()
