"""Does: You fill every column with a sine, so the two columns of a pair are equal.
Should: The odd columns should hold the cosine of the same angle.
Number: Every column holds a sine here; the odd columns should hold the cosine.
Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 3b. Column 2i+1 holds the cosine.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    columns = np.arange(d)
    return np.sin(positions / base ** (2 * (columns // 2) / d))
