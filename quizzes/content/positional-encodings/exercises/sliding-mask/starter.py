import numpy as np


def sliding_mask(Lq: int, Lk: int, window: int) -> np.ndarray:
    """The mask (Lq, Lk) of a layer with a sliding window.

    True where the query sees the key. Queries are the last Lq of Lk positions.
    """
    mask = np.zeros((Lq, Lk), dtype=bool)
    # Which position has each query? Which keys does it see?
    return mask
