"""Does: Your positions go on over all documents.
Should: They should begin again at 0 with each document.
Number: This counts on over all documents; each should begin at 0.
Step: batches/packing
Kind: mistake
Breaks: 3a. Positions are 0 where a document begins.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    number = np.cumsum(begins)
    return columns, (number[:, None] == number) & (columns[:, None] >= columns)
