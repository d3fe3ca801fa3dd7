"""Does: You return the number of the column, at tokens and at padding.
Should: You should count the tokens of the row, so that its first token has position 0.
Number: This is the number of the column; padding should not be counted.
Step: batches/padding
Kind: mistake
Breaks: 2c. Padding is not counted.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.broadcast_to(np.arange(mask.shape[1]), mask.shape).copy()
