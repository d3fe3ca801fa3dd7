"""Does: You take all tokens with the same number for one document, in the positions and in the mask.
Should: A number that comes again should begin another document.
Number: This takes tokens with the same number for one document; a number that comes again begins another.
Step: batches/packing-in-code
Kind: mistake
Breaks: 2c. The same number may come again later.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    same = (documents[:, None] == documents) & (columns[:, None] >= columns)
    return same.sum(axis=1) - 1, same
