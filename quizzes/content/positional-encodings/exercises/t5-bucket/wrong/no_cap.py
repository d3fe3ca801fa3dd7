"""Does: You set no last bucket, so distances from max_distance on get buckets beyond those of their direction.
Should: All distances from max_distance on should be in the last bucket of their direction, n - 1.
Number: This bucket lies beyond the last one of its direction; all the largest distances should be in the last one.
Step: relative-bias/t5-buckets
Kind: mistake
Breaks: 6. What would be beyond is in the last bucket of its direction, n - 1.
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
        start = np.where(relative > 0, num_buckets // 2, 0)
        distance = np.abs(relative)
    else:
        n = num_buckets
        start = 0
        distance = np.maximum(-relative, 0)
    exact = n // 2
    share = np.log(np.maximum(distance, 1) / exact) / np.log(max_distance / exact)
    # 1e-6: a distance exactly on a border belongs to the upper bucket whatever the logarithm's rounding
    far = exact + np.floor(share * (n - exact) + 1e-6).astype(int)
    return start + np.where(distance < exact, distance, far)
