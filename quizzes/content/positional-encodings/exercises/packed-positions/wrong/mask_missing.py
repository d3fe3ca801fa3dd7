"""Does: Your mask is the causal mask alone: queries see keys of earlier documents.
Should: A query should see keys of its own document only.
Number: This is the causal mask alone; documents should not see each other.
Step: batches/packing
Kind: mistake
Breaks: 4a. Query and key are in the same document.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    return positions, columns[:, None] >= columns
