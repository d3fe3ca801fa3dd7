"""Does: You use 10000 whatever base the caller gives, so a model with another base is turned by wrong angles.
Should: The frequencies should be powers of the base that is given; 10000 is only its default.
Number: The base is 10000 here, not the given one.
Step: rope/many-pairs
Kind: mistake
Breaks: 5a. base is an argument.
"""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    inv_freq = 10000.0 ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
