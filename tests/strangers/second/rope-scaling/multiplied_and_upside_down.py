"""Two branches, one for each kind.

Truth: wrong
Slips: linear multiplies the frequencies by the factor; the power of ntk is (D-2)/D instead of D/(D-2)
Names: lin_mul
Silent: yes
Says: A fair person would say: For linear divide by the factor: a text that is longer must turn more slowly. For ntk the exponent is upside down, it should be D / (D - 2).
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    idx = np.arange(0, head_dim, 2, dtype=np.float64)
    if kind == "linear":
        return factor * base ** (-idx / head_dim)
    elif kind == "ntk":
        new_base = base * factor ** ((head_dim - 2) / head_dim)
        return new_base ** (-idx / head_dim)
    raise ValueError(f"unknown kind {kind!r}")
