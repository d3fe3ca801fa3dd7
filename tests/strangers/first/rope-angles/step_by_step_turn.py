"""Turns the row before by one more step with the addition formulas instead of calling cos and sin for each position.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Each row follows from the one before by the addition theorems, which in float64 is exact enough.
"""
import math

import numpy as np


def rope_cos_sin(
    n: int,
    head_dim: int,
    base: float = 10000.0,
) -> tuple[np.ndarray, np.ndarray]:
    pairs = head_dim // 2
    step_c = [math.cos(base ** (-2 * i / head_dim)) for i in range(pairs)]
    step_s = [math.sin(base ** (-2 * i / head_dim)) for i in range(pairs)]

    c = [1.0] * pairs
    s = [0.0] * pairs
    all_c = []
    all_s = []
    for _ in range(n):
        all_c.append(list(c))
        all_s.append(list(s))
        for i in range(pairs):
            new_c = c[i] * step_c[i] - s[i] * step_s[i]
            new_s = s[i] * step_c[i] + c[i] * step_s[i]
            c[i], s[i] = new_c, new_s
    return np.array(all_c).reshape(n, pairs), np.array(all_s).reshape(n, pairs)
