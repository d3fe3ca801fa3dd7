"""Stretches the frequencies for the linear recipe and the base for ntk.

Truth: wrong
Slips: linear multiplies the frequencies by factor instead of dividing
Names: lin_mul
Silent: yes
Says: A fair person would say: Position interpolation divides by factor, so that longer texts fit into the angles seen in training. You multiply.
"""
import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    idx = np.arange(head_dim // 2)
    scale = 1.0
    if kind == "linear":
        scale = factor
    elif kind == "ntk":
        base *= factor ** (head_dim / (head_dim - 2))
    return scale * np.power(base, -2.0 * idx / head_dim)
