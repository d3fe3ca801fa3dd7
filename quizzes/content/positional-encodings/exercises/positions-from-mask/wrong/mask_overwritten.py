"""Does: You fill the mask that you are passed with True.
Should: The mask should stay as it is: attention still needs it.
Step: batches/from-the-mask
Kind: mistake
Breaks: 1c. mask stays as it is.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    positions = np.where(mask, np.cumsum(mask, axis=1) - 1, 0)
    mask[...] = True
    return positions
