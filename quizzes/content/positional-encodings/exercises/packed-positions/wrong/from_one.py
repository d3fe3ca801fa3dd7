"""Does: You count positions from 1.
Should: The first token of each document should have position 0.
Number: This counts from 1; the first token of a document should have position 0.
Step: batches/packing-in-code
Kind: mistake
Breaks: 3a. Positions are 0 where a document begins.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0)) + 1
    number = np.cumsum(begins)
    return positions, (number[:, None] == number) & (columns[:, None] >= columns)
