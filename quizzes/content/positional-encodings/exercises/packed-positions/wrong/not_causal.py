"""Does: In your mask, queries see later keys of their document.
Should: A query should not see keys after it.
Number: This has no causal mask; later keys should be hidden.
Step: batches/packing
Kind: mistake
Breaks: 4b. The key is not after the query.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    number = np.cumsum(begins)
    return positions, number[:, None] == number
