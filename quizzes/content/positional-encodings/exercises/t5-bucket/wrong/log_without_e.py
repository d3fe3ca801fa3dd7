"""Does: You leave e out of both logarithms: you sort by ln(r) / ln(max_distance), so most far buckets are never used.
Should: Both should be of a number divided by e: ln(r / e) / ln(max_distance / e).
Step: relative-bias/t5-buckets
Kind: mistake
Breaks: 5a. Larger distances are sorted by their logarithm.
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
    share = np.log(np.maximum(distance, 1)) / np.log(max_distance)
    # 1e-6: a distance exactly on a border belongs to the upper bucket whatever the logarithm's rounding
    far = exact + np.floor(share * (n - exact) + 1e-6).astype(int)
    return start + np.where(distance < exact, distance, np.minimum(far, n - 1))
