"""Every column holds a sine: the odd columns must hold the cosine of the same angle.

Step: sinusoidal-values/the-formula
Kind: mistake
Breaks: 3. Column 2i holds the sine and column 2i+1 the cosine.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    columns = np.arange(d)
    return np.sin(positions / base ** (2 * (columns // 2) / d))
