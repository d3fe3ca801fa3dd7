"""Does: Your exponent is i/(d/2 - 1), as in tensor2tensor, so for an even d from 4 on your last wavelength is exactly 2 pi base.
Should: Here the exponent should be 2i/d, as in the paper.
Number: The exponent is i/(d/2 - 1) here, as in tensor2tensor; it should be 2i/d.
Step: sinusoidal-wavelengths/two-grids
Kind: convention
Breaks: 2c. The angle of pair i is p / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (pairs / max(d // 2 - 1, 1))
    table = np.empty((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    return table
