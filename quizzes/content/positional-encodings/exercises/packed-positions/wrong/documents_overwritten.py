"""Does: You write numbers of your own into the array that you are passed.
Should: documents should stay as it is.
Step: batches/packing-in-code
Kind: mistake
Breaks: 1c. documents stays as it is.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    documents[...] = np.cumsum(begins)
    number = documents
    return positions, (number[:, None] == number) & (columns[:, None] >= columns)
