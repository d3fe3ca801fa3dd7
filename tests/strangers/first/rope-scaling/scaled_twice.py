"""Changes the base for ntk and divides by the factor before returning.

Truth: wrong
Slips: with ntk the frequencies are also divided by factor; the exponents are i/head_dim instead of 2i/head_dim
Names: ntk_and_linear, exp_half
Silent: yes
Says: A fair person would say: Only linear divides by factor; with ntk the larger base is all, and the first frequency stays 1. And pair i has the exponent 2i/head_dim, so a 2 is missing.
"""
import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    if kind == "ntk":
        base = base * factor ** (head_dim / (head_dim - 2))
    freqs = np.array([base ** (-i / head_dim) for i in range(head_dim // 2)])
    return freqs / factor
