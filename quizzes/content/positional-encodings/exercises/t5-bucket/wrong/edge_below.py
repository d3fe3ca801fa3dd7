"""Does: You put a distance that is exactly on an edge into the lower bucket.
Should: It should be in the upper bucket: with the defaults, a key 16 positions before the query is in bucket 10.
Number: A distance exactly on an edge is in the lower bucket here; it should be in the upper one.
Step: relative-bias/t5-buckets
Kind: mistake
Breaks: 5c. A distance exactly on an edge belongs to the upper bucket.
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
    far = exact + np.ceil(share * (n - exact) - 1e-6).astype(int) - 1
    return start + np.where(distance < exact, distance, np.minimum(far, n - 1))
