"""Does: In your mask, tokens do not see themselves.
Should: Each token should see itself.
Number: This hides each token from itself; it should see itself.
Step: batches/packing
Kind: mistake
Breaks: 4c. Each token sees itself.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    number = np.cumsum(begins)
    return positions, (number[:, None] == number) & (columns[:, None] > columns)
