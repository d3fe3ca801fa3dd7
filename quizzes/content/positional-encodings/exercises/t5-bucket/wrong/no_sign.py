"""Does: You give keys before and after the query the same buckets.
Should: With two directions num_buckets // 2 should be added for keys after the query.
Number: This is the bucket of the key equally far before the query.
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
        start = 0
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
