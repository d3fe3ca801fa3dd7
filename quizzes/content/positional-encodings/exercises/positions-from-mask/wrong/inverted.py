"""Does: You take True for padding, so that padding is counted and tokens have position 0.
Should: True should be a token.
Number: This counts padding; tokens should be counted.
Step: batches/padding
Kind: mistake
Breaks: 2b. The next tokens have 1, 2 and so on.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    padding = ~mask
    return np.where(padding, np.cumsum(padding, axis=1) - 1, 0)
