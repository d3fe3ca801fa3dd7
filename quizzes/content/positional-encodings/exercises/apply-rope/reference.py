"""Rotary position embedding of neighbours, RoFormer section 3.4.2, equation 34."""

import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Turns pairs (2i, 2i+1) of x (B, H, L, D) by the angles of cos and sin (L, D/2)."""
    if x.ndim != 4 or x.shape[-1] % 2 or not x.size:
        raise ValueError("x has the shape (B, H, L, D), each at least 1, with an even D")
    if not cos.shape == sin.shape == (x.shape[2], x.shape[3] // 2):
        raise ValueError("cos and sin have the shape (L, D/2)")
    if not x.dtype == cos.dtype == sin.dtype:
        raise ValueError("cos and sin have the dtype of x")
    a, b = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = a * cos - b * sin
    turned[..., 1::2] = a * sin + b * cos
    return turned
