"""Enlarges the base by a power of the factor whose exponent is computed with whole numbers.

Truth: wrong
Slips: the exponent D/(D-2) is computed with // and so is 1 for every head size above 4
Names: ntk_no_pow
Silent: yes
Says: A fair person would say: head_dim // (head_dim - 2) is rounded down to 1 for head sizes above 4. Use / for the exponent.
"""
import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    if kind == "ntk":
        base = base * factor ** (head_dim // (head_dim - 2))
    frequencies = base ** (-np.arange(0, head_dim, 2) / head_dim)
    if kind == "linear":
        frequencies = frequencies / factor
    return frequencies
