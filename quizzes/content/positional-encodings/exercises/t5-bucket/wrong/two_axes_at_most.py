"""Does: Your code raises an error where the relative positions have three axes.
Should: It should accept any number of axes; NumPy's functions work number by number.
Step: relative-bias/t5-buckets
Kind: mistake
Breaks: 1c. The relative positions may have three axes.
"""

import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    """Buckets in the shape of relative_position (key minus query), int64."""
    rows, columns = np.atleast_2d(relative_position).shape
    relative = np.reshape(relative_position, rows * columns)
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
    bucket = start + np.where(distance < exact, distance, np.minimum(far, n - 1))
    return bucket.reshape(np.shape(relative_position))
