"""Does: You count tokens with the same number together: positions do not begin at 0 where the number comes again.
Should: A number that comes again should begin another document, at position 0.
Step: batches/packing-in-code
Kind: mistake
Breaks: 2c. The same number may come again later.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    number = np.cumsum(begins)
    same = (documents[:, None] == documents) & (columns[:, None] >= columns)
    return same.sum(axis=1) - 1, (number[:, None] == number) & (columns[:, None] >= columns)
