"""All sines come first and all cosines after them: tensor2tensor and Marian do it so, but this exercise asks for columns that alternate.

Step: sinusoidal-values/the-formula
Kind: convention
Breaks: 3. Sines and cosines alternate.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    return np.concatenate([np.sin(angles), np.cos(angles[:, : d // 2])], axis=1)
