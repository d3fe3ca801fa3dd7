"""Does: You use 10000 whatever base the caller gives, so every base gives the same frequencies.
Should: Both recipes should start from the base that is given.
Number: The base before scaling is 10000 here, not the given one.
Step: rope/many-pairs
Kind: mistake
Breaks: 1b. Without scaling, the frequency of pair i is base^(-2i/D).
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return 10000.0**exponents / factor
    larger = 10000.0 * factor ** (head_dim / (head_dim - 2))
    return larger**exponents
