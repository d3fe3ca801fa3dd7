"""The exponent is doubled, and the cosine uses i+1 in it: the sine and the cosine of a pair must share one angle, pos / base^(2i/d).

Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2. Both columns of pair i use the same angle pos / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    table = np.zeros((n, d))
    for pos in range(n):
        for i in range(0, d, 2):
            table[pos, i] = np.sin(pos / base ** (2 * i / d))
            if i + 1 < d:
                table[pos, i + 1] = np.cos(pos / base ** (2 * (i + 1) / d))
    return table
