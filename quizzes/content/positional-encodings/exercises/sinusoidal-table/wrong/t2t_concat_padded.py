"""Does: You put all sines first and all cosines after them, with the exponent i/(d // 2 - 1) and a column of zeros for an odd d, as tensor2tensor does.
Should: Here sines and cosines should alternate, the exponent should be 2i/d, and the last column of an odd d should be a sine.
Step: sinusoidal-wavelengths/two-grids
Kind: convention
Breaks: 2c. The angle of pair i is p / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange(d // 2)
    angles = positions / base ** (pairs / max(d // 2 - 1, 1))
    return np.concatenate([np.sin(angles), np.cos(angles), np.zeros((n, d % 2))], axis=1)
