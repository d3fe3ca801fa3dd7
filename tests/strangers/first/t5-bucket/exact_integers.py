"""Compares integer powers instead of computing logarithms.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The floor of the logarithm is found by comparing exact fractions, which gives the same buckets.
"""
from fractions import Fraction
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=None)
def one_direction(r, n, max_distance):
    e = n // 2
    if r < e:
        return r
    grown = Fraction(r, e) ** (n - e)
    whole = Fraction(max_distance, e)
    m = 0
    while e + m < n - 1 and whole ** (m + 1) <= grown:
        m += 1
    return e + m


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    out = []
    for rel in relative_position.ravel().tolist():
        if bidirectional:
            n = num_buckets // 2
            bucket = one_direction(abs(rel), n, max_distance)
            out.append(bucket + n if rel > 0 else bucket)
        else:
            out.append(one_direction(max(-rel, 0), num_buckets, max_distance))
    return np.array(out, dtype=np.int64).reshape(relative_position.shape)
