"""Does: Your exponent is 4i/d, so every pair after the first turns too slowly.
Should: The exponent should be 2i/d; an index that runs over 0, 2, 4, ... already is 2i.
Number: The exponent is 4i/d here, twice the right one.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 2c. The angle of pair i is p / base^(2i/d).
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
