"""The order of operations in the authors' code: float32, and distance 0 gives minus infinity."""

import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    """Buckets in the shape of relative_position (key minus query), int64."""
    relative = np.asarray(relative_position)
    bucket = np.zeros_like(relative)
    if bidirectional:
        num_buckets //= 2
        bucket = bucket + (relative > 0) * num_buckets
        distance = np.abs(relative)
    else:
        distance = -np.minimum(relative, 0)
    exact = num_buckets // 2
    with np.errstate(divide="ignore"):
        logs = np.log(distance.astype(np.float32) / exact)
    share = logs / np.log(max_distance / exact) * (num_buckets - exact)
    far = exact + np.maximum(share + 1e-6, 0).astype(int)
    return bucket + np.where(distance < exact, distance, np.minimum(far, num_buckets - 1))
