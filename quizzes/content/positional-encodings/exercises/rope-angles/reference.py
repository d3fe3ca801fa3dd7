"""The angles of RoPE: Su et al. 2021, arXiv:2104.09864, section 3.2.2, eq. 15, with i from 0."""

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, head_dim // 2) float64 each: cosine and sine of p * base^(-2i/head_dim)."""
    if n < 1 or head_dim < 2 or head_dim % 2 or base <= 0:
        raise ValueError("n is at least 1, head_dim is even and positive, and base is positive")
    inv_freq = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.arange(n)[:, None] * inv_freq
    return np.cos(angles), np.sin(angles)
