"""The distance is taken once, before the direction is looked at.

Truth: wrong
Slips: with bidirectional=False keys after the query get the bucket of their absolute distance instead of 0
Names: causal_abs
Silent: yes
Says: A fair person would say: With bidirectional=True this is right. With one direction, keys after the query have distance 0 and so bucket 0; you take the absolute value there as well.
"""

import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    """The bucket of each relative position."""
    bucket = np.zeros(relative_position.shape, dtype=np.int64)
    n = num_buckets
    if bidirectional:
        n = n // 2
        bucket += (relative_position > 0) * n
    distance = np.abs(relative_position)

    e = n // 2
    r = np.maximum(distance, e)
    far = np.log(r / e) / np.log(max_distance / e) * (n - e)
    far = e + np.floor(far + 1e-9).astype(np.int64)
    far = np.minimum(far, n - 1)
    return bucket + np.where(distance < e, distance, far)
