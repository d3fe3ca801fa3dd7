"""Spreads the exponents evenly with linspace from 0 to 1.

Truth: wrong
Slips: the exponents run from 0 to 1 with 1 included instead of in steps of 2/head_dim
Names: t2t
Silent: yes
Says: A fair person would say: linspace(0, 1, head_dim // 2) includes the end, so the steps are too large and the last frequency is 1/base. Pair i needs the exponent 2i/head_dim, which stops before 1.
"""
import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    half = head_dim // 2
    exponents = np.linspace(0.0, 1.0, half)
    inv_freq = 1.0 / (base ** exponents)
    t = np.arange(n, dtype=np.float64)
    freqs = np.outer(t, inv_freq)
    return np.cos(freqs), np.sin(freqs)
