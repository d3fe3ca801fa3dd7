"""Pure Python with math.pow and a list that becomes an array at the end.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Both recipes follow the formulas.
"""
import math

import numpy as np


def scaled_inv_freq(head_dim, base, factor, kind):
    if kind == "ntk":
        base = base * math.pow(factor, head_dim / (head_dim - 2))
        divisor = 1.0
    elif kind == "linear":
        divisor = factor
    else:
        raise ValueError(f"unknown kind {kind!r}")
    result = []
    i = 0
    while 2 * i < head_dim:
        result.append(1.0 / (math.pow(base, 2 * i / head_dim) * divisor))
        i += 1
    return np.array(result)
