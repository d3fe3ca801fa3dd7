"""Adds the offset for keys before the query.

Truth: wrong
Slips: with bidirectional=True the offset n is added for keys before the query instead of after
Names: flip, flip_halves
Silent: yes
Says: A fair person would say: n is added for keys after the query, where key minus query is positive. You add it to the negative ones, so the two halves of the buckets are exchanged.
"""
import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    ret = np.zeros_like(relative_position)
    n = num_buckets
    if bidirectional:
        n //= 2
        ret = ret + (relative_position < 0) * n
        dist = np.abs(relative_position)
    else:
        dist = np.maximum(-relative_position, 0)
    max_exact = n // 2
    large = max_exact + (
        np.log(np.maximum(dist, 1) / max_exact)
        / np.log(max_distance / max_exact)
        * (n - max_exact)
    ).astype(int)
    large = np.minimum(large, n - 1)
    return ret + np.where(dist < max_exact, dist, large)
