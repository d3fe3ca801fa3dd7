"""Does: You give all padding the position -1.
Should: Padding should have position 0: a table read at -1 gives its last row.
Step: batches/from-the-mask
Kind: mistake
Breaks: 3. Padding has position 0.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.where(mask, np.cumsum(mask, axis=1) - 1, -1)
