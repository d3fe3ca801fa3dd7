"""Does: With "linear" you divide every frequency by factor and enlarge the base too: what is for "ntk" runs for both kinds.
Should: The base should grow with "ntk" alone, so put it into an else or return before it.
Number: The frequency is divided by the factor and the base is larger as well; one of the two is enough.
Step: longer-texts/position-interpolation
Kind: mistake
Breaks: 2. kind="linear" divides every frequency by factor.
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    divisor = 1.0
    if kind == "linear":
        divisor = factor
    larger = base * factor ** (head_dim / (head_dim - 2))
    return larger**exponents / divisor
