"""Rounds the logarithm to the nearest bucket.

Truth: wrong
Slips: the logarithm is rounded to the nearest whole number instead of down
Names: log_round
Silent: yes
Says: A fair person would say: The logarithm has to be rounded down, but np.rint rounds to the nearest, so many far distances land one bucket too high. Use np.floor.
"""
import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    offset = np.zeros(relative_position.shape, dtype=np.int64)
    n = num_buckets
    if bidirectional:
        n = num_buckets // 2
        offset[relative_position > 0] = n
        r = np.abs(relative_position)
    else:
        r = np.maximum(-relative_position, 0)
    e = n // 2
    log_part = np.log(np.maximum(r, e) / e) / np.log(max_distance / e) * (n - e)
    large = np.minimum(e + np.rint(log_part).astype(np.int64), n - 1)
    return offset + np.where(r < e, r, large)
