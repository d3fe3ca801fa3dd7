"""Nested functions with the logarithm of the distance over that of the largest distance.

Truth: wrong
Slips: the logarithms are those of r and max_distance, not of r/e and max_distance/e; the last bucket is n instead of n - 1
Names: log_without_e
Silent: yes
Says: A fair person would say: Both logarithms need the division by e, so that the far buckets begin right after the near ones. And the highest bucket of a direction is n - 1, not n.
"""
import math

import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    n = num_buckets // 2 if bidirectional else num_buckets
    e = n // 2

    def bucket(r):
        if r < e:
            return r
        return min(e + int(math.log(r) / math.log(max_distance) * (n - e)), n)

    def one(rel):
        if not bidirectional:
            return bucket(max(0, -rel))
        return bucket(abs(rel)) + (n if rel > 0 else 0)

    flat = [one(int(x)) for x in relative_position.flatten()]
    return np.array(flat, dtype=np.int64).reshape(relative_position.shape)
