"""All sines in the first half, all cosines in the second, as in tensor2tensor.

Truth: other convention
Slips: all sines come first and then all cosines instead of alternating
Names: concat
Says: A fair person would say: Some libraries put all sines first and then all cosines, and used throughout that works as well. Here they alternate: sine in column 2i, cosine in column 2i + 1.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    freqs = base ** (-np.arange(0, d, 2) / d)
    angles = np.arange(n)[:, np.newaxis] * freqs[np.newaxis, :]
    sines = np.sin(angles)
    cosines = np.cos(angles)[:, : d // 2]
    return np.concatenate([sines, cosines], axis=1)
