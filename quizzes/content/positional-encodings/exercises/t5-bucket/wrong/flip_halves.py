"""Does: With two directions, you give keys before the query the upper half of the buckets.
Should: The upper half, from n on, should be for keys after the query, whose relative position is positive.
Number: This is the bucket of the opposite direction: the upper half should be for keys after the query.
Step: relative-bias/t5-buckets
Kind: mistake
Breaks: 2b. Keys after the query have the buckets from n on.
"""

import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    """Buckets in the shape of relative_position (key minus query), int64."""
    relative = np.asarray(relative_position)
    if bidirectional:
        n = num_buckets // 2
        start = np.where(relative < 0, num_buckets // 2, 0)
        distance = np.abs(relative)
    else:
        n = num_buckets
        start = 0
        distance = np.maximum(-relative, 0)
    exact = n // 2
    share = np.log(np.maximum(distance, 1) / exact) / np.log(max_distance / exact)
    # 1e-6: a distance exactly on a border belongs to the upper bucket whatever the logarithm's rounding
    far = exact + np.floor(share * (n - exact) + 1e-6).astype(int)
    return start + np.where(distance < exact, distance, np.minimum(far, n - 1))
