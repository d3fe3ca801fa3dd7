"""Does: You begin a document only where the number grows.
Should: A document should begin wherever the number changes, also where it falls.
Step: batches/packing-in-code
Kind: mistake
Breaks: 2b. A document begins at each token whose number differs from that before it.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] > documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    number = np.cumsum(begins)
    return positions, (number[:, None] == number) & (columns[:, None] >= columns)
