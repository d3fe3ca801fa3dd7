"""Both methods as one divisor for each pair, a power of the factor.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: for ntk the divisor factor^(2i/(D-2)) is the same as the larger base.
"""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    i = np.arange(head_dim // 2)
    share = {
        "linear": np.ones(len(i)),
        "ntk": 2 * i / (head_dim - 2),
    }[kind]
    log_freq = -2 * i / head_dim * np.log(base) - share * np.log(factor)
    return np.exp(log_freq)
