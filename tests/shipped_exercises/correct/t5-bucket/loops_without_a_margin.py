"""Python numbers, one at a time, and no help for distances exactly on a border."""

import math

import numpy as np


def bucket(relative, n, max_distance):
    exact = n // 2
    if relative < exact:
        return relative
    share = math.log(relative / exact) / math.log(max_distance / exact)
    return min(n - 1, exact + int(share * (n - exact)))


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    out = np.zeros(relative_position.shape, dtype=np.int64)
    for place, relative in np.ndenumerate(relative_position):
        if bidirectional:
            half = num_buckets // 2
            start = half if relative > 0 else 0
            out[place] = start + bucket(abs(int(relative)), half, max_distance)
        else:
            out[place] = bucket(max(0, -int(relative)), num_buckets, max_distance)
    return out
