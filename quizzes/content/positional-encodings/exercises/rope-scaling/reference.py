"""Position interpolation (Chen et al. 2023, arXiv:2306.15595) and NTK-aware scaling of RoPE's base."""

import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """(head_dim // 2,) float64: base^(-2i/D) / factor, or with base * factor^(D / (D - 2))."""
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("head_dim is even and at least 4, factor at least 1")
    exponents = -np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return base**exponents / factor
    if kind != "ntk":
        raise ValueError("kind is linear or ntk")
    larger = base * factor ** (head_dim / (head_dim - 2))
    return larger**exponents
