"""Does: You count tokens from 1.
Should: The first token of each row should have position 0.
Number: This counts from 1; the first token should have position 0.
Step: batches/from-the-mask
Kind: mistake
Breaks: 2a. The first token has position 0.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.where(mask, np.cumsum(mask, axis=1), 0)
