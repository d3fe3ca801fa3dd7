"""Does: With "ntk" you enlarge the base and divide every frequency by factor too, so the first frequency is not 1.
Should: With "ntk" the larger base should be all that changes; only "linear" should divide.
Number: The base is larger and the frequency is divided by the factor as well; one of the two is enough.
Step: longer-texts/ntk-aware
Kind: mistake
Breaks: 3. kind="ntk" takes the base times factor^(D/(D-2)).
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return base**exponents / factor
    larger = base * factor ** (head_dim / (head_dim - 2))
    return larger**exponents / factor
