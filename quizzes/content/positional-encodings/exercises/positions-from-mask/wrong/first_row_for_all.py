"""Does: You take the positions of the first row for all rows.
Should: Each row should have its own positions.
Number: This takes the positions of the first text; each text should have its own.
Step: batches/writing
Kind: mistake
Breaks: 2d. Each row counts on its own.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    first = np.where(mask[0], np.cumsum(mask[0]) - 1, 0)
    return np.tile(first, (len(mask), 1))
