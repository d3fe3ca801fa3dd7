"""A compact version with np.select.

Truth: wrong
Slips: n is added also at distance 0; the result is an array of floats
Names: zero_upper
Silent: yes
Says: A fair person would say: Distance 0 belongs to bucket 0, but >= 0 adds n to it too; use > 0. And the buckets are row numbers, so return int64 instead of floats.
"""
import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    n = num_buckets // 2 if bidirectional else num_buckets
    e = n // 2
    r = np.abs(relative_position) if bidirectional else np.clip(-relative_position, 0, None)
    scaled = np.log(np.maximum(r, e) / e) / np.log(max_distance / e) * (n - e)
    bucket = np.select([r < e], [r], default=np.minimum(e + np.floor(scaled), n - 1))
    if bidirectional:
        bucket = bucket + n * (relative_position >= 0)
    return bucket.astype(np.float64)
