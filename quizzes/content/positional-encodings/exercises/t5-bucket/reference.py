"""T5's buckets: Raffel et al. 2020, section 2.1; the rule is that of the authors' code."""

import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    """Buckets in the shape of relative_position (key minus query), int64."""
    if num_buckets < 4 or num_buckets % 2 or max_distance <= num_buckets:
        raise ValueError("num_buckets is even and at least 4, max_distance larger than it")
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
    return start + np.where(distance < exact, distance, np.minimum(far, n - 1))
