import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """The table's row for each query and key.

    Shape (Lq, Lk), whole numbers from 0 to 2k.
    """
    index = np.zeros((Lq, Lk), dtype=int)
    # Key minus query, then the clip, then the rows.
    return index
