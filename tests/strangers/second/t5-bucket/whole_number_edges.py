"""Finds the smallest distance of each bucket with whole numbers and uses searchsorted.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct; comparing whole powers avoids all rounding of logarithms.
"""

import numpy as np


def _first_distances(n, max_distance):
    e = n // 2
    m = n - e
    edges = list(range(1, e + 1))
    for step in range(1, m):
        # smallest r with (r / e) ** m >= (max_distance / e) ** step
        r = edges[-1]
        while r**m * e**step < max_distance**step * e**m:
            r += 1
        edges.append(r)
    return np.array(edges)


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    rel = np.asarray(relative_position).astype(np.int64)
    if bidirectional:
        n = num_buckets // 2
        start = n * (rel > 0)
        distance = np.abs(rel)
    else:
        n = num_buckets
        start = 0
        distance = np.where(rel < 0, -rel, 0)
    return start + np.searchsorted(_first_distances(n, max_distance), distance, side="right")
