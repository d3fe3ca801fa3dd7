"""Uses arange over the pairs, divided by the head size, as exponents.

Truth: wrong
Slips: the exponent is -i/head_dim instead of -2i/head_dim
Names: exp_half
Silent: yes
Says: A fair person would say: The factor 2 is missing in the exponent: pair i turns with base ** (-2i/head_dim), yours with base ** (-i/head_dim), so the later pairs turn too fast.
"""
import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    i = np.arange(head_dim // 2)
    inv_freq = base ** (-i / head_dim)
    angles = np.arange(n)[:, None] * inv_freq[None, :]
    return np.cos(angles), np.sin(angles)
