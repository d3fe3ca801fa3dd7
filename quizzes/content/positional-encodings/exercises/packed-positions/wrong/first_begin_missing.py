"""Does: You list the documents that begin after another one, and not the first. Its tokens then count from the last one in the list.
Should: The first token should begin a document too.
Step: batches/packing-in-code
Kind: mistake
Breaks: 2a. A document begins at the first token.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.flatnonzero(documents[1:] != documents[:-1]) + 1
    number = np.searchsorted(begins, columns, side="right")
    positions = columns - begins[number - 1]
    return positions, (number[:, None] == number) & (columns[:, None] >= columns)
