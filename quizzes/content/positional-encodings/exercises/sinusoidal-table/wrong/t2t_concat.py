"""This is tensor2tensor's and fairseq's table: sines first, cosines after them, and the exponent i/(d/2-1). Here sines and cosines alternate and the exponent is 2i/d.

Step: sinusoidal-wavelengths/two-grids
Kind: convention
Breaks: 2. Both columns of pair i use the same angle pos / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (pairs / max(d // 2 - 1, 1))
    return np.concatenate([np.sin(angles), np.cos(angles[:, : d // 2])], axis=1)
