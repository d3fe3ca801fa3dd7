"""Does: You restart one token late: the first token of a document goes on counting, and the second has position 0.
Should: The first token of a document should have position 0.
Number: This restarts one token late; the first token of a document should have position 0.
Step: batches/packing-in-code
Kind: mistake
Breaks: 3a. Positions are 0 where a document begins.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    after = np.concatenate([[True], begins[:-1]])
    after[1:2] = False
    positions = columns - np.maximum.accumulate(np.where(after, columns, 0))
    number = np.cumsum(begins)
    return positions, (number[:, None] == number) & (columns[:, None] >= columns)
