"""Written with plain if statements for near and far distances.

Truth: wrong
Slips: an if asks for the truth of a whole array, which raises for more than one position
Names: none
Silent: no
Says: A fair person would say: if relative_position > 0 cannot be answered for an array of several numbers, so NumPy raises. Use np.where, or loop over the numbers.
"""
import math

import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    bucket = np.zeros_like(relative_position)
    n = num_buckets
    if bidirectional:
        n = n // 2
        if relative_position > 0:
            bucket = bucket + n
        r = abs(relative_position)
    else:
        r = np.maximum(-relative_position, 0)
    e = n // 2
    far = [
        min(n - 1, e + int(math.log(x / e) / math.log(max_distance / e) * (n - e)))
        if x >= e
        else x
        for x in r.ravel()
    ]
    return bucket + np.array(far, dtype=int).reshape(r.shape)
