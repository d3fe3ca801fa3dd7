"""Does: With two directions you count the distance as query minus key, so keys after the query have negative distances.
Should: The distance should be the absolute value of the relative position.
Number: The distance is negative here; it should be the absolute value of the relative position.
Step: relative-bias/t5-buckets
Kind: mistake
Breaks: 2c. The distance is the absolute value of the relative position.
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
        distance = -relative
    else:
        n = num_buckets
        start = 0
        distance = np.maximum(-relative, 0)
    exact = n // 2
    share = np.log(np.maximum(distance, 1) / exact) / np.log(max_distance / exact)
    # 1e-6: a distance exactly on a border belongs to the upper bucket whatever the logarithm's rounding
    far = exact + np.floor(share * (n - exact) + 1e-6).astype(int)
    return start + np.where(distance < exact, distance, np.minimum(far, n - 1))
