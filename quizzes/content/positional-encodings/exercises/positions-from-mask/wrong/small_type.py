"""Does: You store positions in int8, which ends at 127: later positions become negative.
Should: The result should be int32 or int64.
Step: batches/from-the-mask
Kind: mistake
Breaks: 1a. The result holds whole numbers, int32 or int64.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.where(mask, np.cumsum(mask, axis=1) - 1, 0).astype(np.int8)
