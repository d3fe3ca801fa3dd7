"""Does: You number tokens so that the last of each row has the position of the last column.
Should: Tokens should be counted from 0: a short text should not begin at a later position.
Number: This lets all texts end at the same position; they should begin at the same one.
Step: batches/padding
Kind: mistake
Breaks: 2a. The first token has position 0.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    shift = mask.shape[1] - mask.sum(axis=1, keepdims=True)
    return np.where(mask, np.cumsum(mask, axis=1) - 1 + shift, 0)
