"""Does: You give the cosine an exponent of its own, (2i+1)/d, so the two columns of a pair have different angles.
Should: Both columns of a pair should use 2i/d, so that they are sine and cosine of the same angle.
Number: The cosine has the exponent (2i+1)/d here; it should share 2i/d with its sine.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2a. Both columns of pair i use the same angle.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    columns = np.arange(d)
    angles = positions / base ** (columns / d)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
