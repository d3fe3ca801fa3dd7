"""Does: Your mask joins documents with the same number.
Should: A number that comes again should be another document, in the mask too.
Step: batches/packing-in-code
Kind: mistake
Breaks: 2c. The same number may come again later.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    return positions, (documents[:, None] == documents) & (columns[:, None] >= columns)
