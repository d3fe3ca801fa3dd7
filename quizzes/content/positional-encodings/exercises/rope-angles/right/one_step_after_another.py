"""Each row from the row before: a turn by one more frequency, pair by pair."""

import math

import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines, (n, head_dim // 2) each, by the formulas for the sum of two angles."""
    pairs = range(head_dim // 2)
    frequencies = [base ** (-2 * pair / head_dim) for pair in pairs]
    step_cos = [math.cos(frequency) for frequency in frequencies]
    step_sin = [math.sin(frequency) for frequency in frequencies]
    cos, sin = np.zeros((n, head_dim // 2)), np.zeros((n, head_dim // 2))
    for pair in pairs:
        x, y = 1.0, 0.0
        for row in range(n):
            cos[row, pair], sin[row, pair] = x, y
            x, y = (
                x * step_cos[pair] - y * step_sin[pair],
                x * step_sin[pair] + y * step_cos[pair],
            )
    return cos, sin
