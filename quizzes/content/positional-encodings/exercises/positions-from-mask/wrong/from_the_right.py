"""Does: You count tokens from the right, so that the last token of a row has position 0.
Should: Tokens should be counted from the left: the first has position 0.
Number: This counts from the right; tokens should be counted from the left.
Step: batches/from-the-mask
Kind: mistake
Breaks: 2a. The first token has position 0.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    later = np.cumsum(mask[:, ::-1], axis=1)[:, ::-1] - 1
    return np.where(mask, later, 0)
