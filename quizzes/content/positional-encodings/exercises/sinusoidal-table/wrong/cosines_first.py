"""Does: You put all cosines first and all sines after them, which is another order, as some diffusion models code their timesteps.
Should: Here sines and cosines should alternate: the sine of pair i in column 2i, its cosine in column 2i+1.
Number: All cosines come before all sines here; they should alternate, the sine first.
Step: sinusoidal-values/the-formula
Kind: convention
Breaks: 3a. Column 2i holds the sine.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (2 * pairs / d)
    return np.concatenate([np.cos(angles[:, : d // 2]), np.sin(angles)], axis=1)
