"""Does: Your mask has a row for each key and a column for each query.
Should: It should have a row for each query.
Step: batches/packing
Kind: convention
Breaks: 1b. A row for each query and a column for each key.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    number = np.cumsum(begins)
    return positions, (number[:, None] == number) & (columns[:, None] <= columns)
