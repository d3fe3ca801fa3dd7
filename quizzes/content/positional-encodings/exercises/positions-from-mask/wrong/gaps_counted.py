"""Does: You subtract the column of the first token from the others, so that padding between tokens is counted.
Should: Padding should not be counted, wherever it is.
Number: This counts padding between tokens; only tokens should be counted.
Step: batches/from-the-mask
Kind: mistake
Breaks: 2c. Padding is not counted.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    columns = np.arange(mask.shape[1]) - mask.argmax(axis=1)[:, None]
    return np.where(mask, columns, 0)
