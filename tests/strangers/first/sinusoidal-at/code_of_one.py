"""A function for one position in plain Python, called for each number of the flat array, each position computed once.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Every position is computed by itself in float64; the cache is keyed by position and width.
"""
import functools
import math

import numpy as np


@functools.lru_cache(maxsize=None)
def code_of_one(p, d):
    out = []
    for i in range(d // 2):
        angle = p * 10000.0 ** (-2 * i / d)
        out += [math.sin(angle), math.cos(angle)]
    return np.array(out)


def sinusoidal_at(positions, d):
    codes = [code_of_one(float(p), d) for p in positions.flat]
    return np.array(codes).reshape(positions.shape + (d,))
