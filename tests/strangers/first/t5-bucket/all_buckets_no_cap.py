"""Sorts near and far distances with np.where.

Truth: wrong
Slips: with bidirectional=True each direction gets all num_buckets instead of half; the bucket is not limited to n - 1
Names: no_halving, no_cap
Silent: yes
Says: A fair person would say: With two directions each has num_buckets // 2 buckets, so halve first. And distances beyond max_distance must stay in the last bucket: take the minimum with n - 1.
"""
import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    n = num_buckets
    if bidirectional:
        distance = np.abs(relative_position)
        extra = np.where(relative_position > 0, n, 0)
    else:
        distance = np.where(relative_position < 0, -relative_position, 0)
        extra = 0
    e = n // 2
    ratio = np.log(np.maximum(distance, e) / e) / np.log(max_distance / e)
    far = e + np.floor(ratio * (n - e)).astype(np.int64)
    return np.where(distance < e, distance, far) + extra
