"""Does: You put all sines first and all cosines after them, which is another order, as tensor2tensor and Marian do.
Should: Here sines and cosines should alternate: the sine of pair i in column 2i, its cosine in column 2i+1.
Number: All sines come before all cosines here; they should alternate.
Step: sinusoidal-values/the-formula
Kind: convention
Breaks: 3a. Column 2i holds the sine.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    return np.concatenate([np.sin(angles), np.cos(angles[:, : d // 2])], axis=1)
