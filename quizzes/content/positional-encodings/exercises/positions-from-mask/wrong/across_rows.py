"""Does: You count on from one row to the next.
Should: Each row should begin to count at 0.
Number: This counts on from one row to the next; each row should begin at 0.
Step: batches/from-the-mask
Kind: mistake
Breaks: 2d. Each row counts on its own.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.where(mask, np.cumsum(mask).reshape(mask.shape) - 1, 0)
