"""With "ntk" all frequencies are divided by the factor: the first one must stay 1.

Step: longer-texts/ntk-aware
Kind: mistake
Breaks: 4. With "ntk" the first frequency stays 1.
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return base**exponents / factor
    return base**exponents / factor
