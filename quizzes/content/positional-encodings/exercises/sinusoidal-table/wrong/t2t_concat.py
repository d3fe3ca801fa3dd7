"""Does: You put all sines first and all cosines after them, with the exponent i/(d/2 - 1), as tensor2tensor and fairseq do.
Should: Here sines and cosines should alternate, and the exponent should be 2i/d.
Number: All sines come before all cosines here, and the exponent is i/(d/2 - 1), as in tensor2tensor; they should alternate, with 2i/d.
Step: sinusoidal-wavelengths/two-grids
Kind: convention
Breaks: 2c. The angle of pair i is p / base^(2i/d).
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    positions = np.arange(n)[:, None]
    pairs = np.arange((d + 1) // 2)
    angles = positions / base ** (pairs / max(d // 2 - 1, 1))
    return np.concatenate([np.sin(angles), np.cos(angles[:, : d // 2])], axis=1)
