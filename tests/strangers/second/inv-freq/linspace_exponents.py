"""Exponents by linspace.

Truth: wrong
Slips: the exponents run up to 1 including the end instead of up to 2i/d; base is ignored and always 10000
Names: freq_base_fixed, freq_t2t_last
Silent: yes
Says: A fair person would say: np.linspace(0, 1, n) reaches 1 at the last pair, but the last exponent is 2i/d, less than 1. And the argument base is not used: 10000 is written into the formula.
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    n = (d + 1) // 2
    exponents = np.linspace(0, 1, n)
    return np.exp(-np.log(10000.0) * exponents)
