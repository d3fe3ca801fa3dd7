"""Does: You return one row with the positions of all texts.
Should: The result should have the shape of mask.
Step: batches/from-the-mask
Kind: mistake
Breaks: 1b. The result has the shape of mask.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.where(mask, np.cumsum(mask, axis=1) - 1, 0).reshape(-1)
