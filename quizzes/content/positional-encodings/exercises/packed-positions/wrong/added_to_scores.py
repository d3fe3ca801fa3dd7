"""Does: Your mask holds 0 and minus infinity, to be added to scores.
Should: It should hold booleans, True where the query sees the key.
Step: batches/packing
Kind: convention
Breaks: 1b. The mask is booleans.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    number = np.cumsum(begins)
    seen = (number[:, None] == number) & (columns[:, None] >= columns)
    return positions, np.where(seen, 0.0, -np.inf)
