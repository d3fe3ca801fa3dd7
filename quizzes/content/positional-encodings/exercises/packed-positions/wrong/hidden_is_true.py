"""Does: Your mask is True where a key is hidden, as in nn.MultiheadAttention of PyTorch.
Should: Here the mask should be True where the query sees the key.
Step: batches/packing
Kind: convention
Breaks: 4a. The mask is True where both are in the same document.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    number = np.cumsum(begins)
    return positions, (number[:, None] != number) | (columns[:, None] < columns)
