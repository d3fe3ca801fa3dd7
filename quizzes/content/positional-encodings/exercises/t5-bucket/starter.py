import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    """The bucket of each relative position (key minus query), whole numbers in its shape."""
    bucket = np.zeros_like(relative_position)
    # First the direction, then the near distances, then the far ones.
    return bucket
