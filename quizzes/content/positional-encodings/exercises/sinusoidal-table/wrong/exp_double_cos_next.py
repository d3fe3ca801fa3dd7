"""Does: You double the exponent to 4i/d, and your cosine has an exponent of its own, (4i+2)/d.
Should: Sine and cosine of a pair should share one angle, p / base^(2i/d); an index that runs over 0, 2, 4, ... already is 2i.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2a. Both columns of pair i use the same angle.
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
