"""Does: You store positions in int8, which ends at 127: later positions become negative.
Should: They should be int64.
Step: batches/packing-in-code
Kind: mistake
Breaks: 1a. The positions are int64.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = (columns - np.maximum.accumulate(np.where(begins, columns, 0))).astype(np.int8)
    number = np.cumsum(begins)
    return positions, (number[:, None] == number) & (columns[:, None] >= columns)
