"""Every pair as a complex number, multiplied by cos + i sin.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    z = x[..., ::2] + 1j * x[..., 1::2]
    z = z * (cos + 1j * sin)
    out = np.empty_like(x)
    out[..., ::2] = z.real
    out[..., 1::2] = z.imag
    return out
