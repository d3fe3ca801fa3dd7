"""Takes the absolute distance first and then treats the two cases.

Truth: wrong
Slips: with bidirectional=False keys after the query keep their absolute distance instead of 0
Names: causal_abs
Silent: yes
Says: A fair person would say: With one direction only, keys after the query have distance 0 and bucket 0; you give them the bucket of their absolute distance. Use max(-relative_position, 0) there.
"""
import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    r = np.abs(relative_position)
    n = num_buckets // 2 if bidirectional else num_buckets
    e = n // 2
    with np.errstate(divide="ignore"):
        far = np.floor(np.log(r / e) / np.log(max_distance / e) * (n - e))
    far = np.clip(e + far, e, n - 1)
    bucket = np.where(r < e, r, far).astype(np.int64)
    if bidirectional:
        bucket += n * (relative_position > 0)
    return bucket
