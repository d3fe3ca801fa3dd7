"""Does: You reverse the direction, and in the causal form you leave distances negative.
Should: Positive numbers should be keys after the query, and in the causal form their distance should be raised to 0.
Step: relative-bias/causal-buckets
Kind: mistake
Breaks: 3c. Keys after the query have distance 0 and so bucket 0.
"""

import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    """Buckets in the shape of relative_position (key minus query), int64."""
    relative = -np.asarray(relative_position)
    if bidirectional:
        n = num_buckets // 2
        start = np.where(relative > 0, num_buckets // 2, 0)
        distance = np.abs(relative)
    else:
        n = num_buckets
        start = 0
        distance = -relative
    exact = n // 2
    share = np.log(np.maximum(distance, 1) / exact) / np.log(max_distance / exact)
    # 1e-6: a distance exactly on a border belongs to the upper bucket whatever the logarithm's rounding
    far = exact + np.floor(share * (n - exact) + 1e-6).astype(int)
    return start + np.where(distance < exact, distance, np.minimum(far, n - 1))
