"""The cosine has an exponent of its own, (2i+1)/d: both columns of a pair use 2i/d, so that they are sine and cosine of one angle.

Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2. Both columns of pair i use the same angle pos / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    columns = np.arange(d)
    angles = positions / base ** (columns / d)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
