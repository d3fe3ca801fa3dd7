"""Every pair is one complex number, multiplied by cos + i sin.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct; multiplying by cos + i sin is exactly the turn that is asked for.
"""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    z = x[..., 0::2] + 1j * x[..., 1::2]
    z = z * (cos + 1j * sin)
    out = np.empty(x.shape, dtype=x.dtype)
    out[..., 0::2] = z.real
    out[..., 1::2] = z.imag
    return out
