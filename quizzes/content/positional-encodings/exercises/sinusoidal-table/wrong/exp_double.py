"""The exponent is doubled: the index already runs over 0, 2, 4, ..., and multiplying it by 2 again gives 4i/d where 2i/d is asked.

Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2. Both columns of pair i use the same angle pos / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    table = np.zeros((n, d))
    for pos in range(n):
        for i in range(0, d, 2):
            angle = pos / base ** (2 * i / d)
            table[pos, i] = np.sin(angle)
            if i + 1 < d:
                table[pos, i + 1] = np.cos(angle)
    return table
