"""Loops over positions and pairs with the math module.

Truth: wrong
Slips: the exponent is -i/head_dim without the 2; positions start at 1
Names: exp_half, pos_one
Silent: yes
Says: A fair person would say: The exponent of pair i is -2i/head_dim, you have -i/head_dim, so the pairs slow down too little. And row 0 belongs to position 0, where nothing turns; your rows start at position 1.
"""

import math
import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    pairs = head_dim // 2
    cos = np.zeros((n, pairs))
    sin = np.zeros((n, pairs))
    for pos in range(1, n + 1):
        for i in range(pairs):
            theta = pos / math.pow(base, i / head_dim)
            cos[pos - 1, i] = math.cos(theta)
            sin[pos - 1, i] = math.sin(theta)
    return cos, sin
