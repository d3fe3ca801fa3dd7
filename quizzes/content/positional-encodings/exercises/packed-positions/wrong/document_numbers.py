"""Does: You return the number of each document in place of positions.
Should: Positions should count the tokens inside each document.
Step: batches/packing-in-code
Kind: mistake
Breaks: 3b. Positions go on with 1, 2 and so on.
"""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    number = np.cumsum(begins)
    return number - 1, (number[:, None] == number) & (columns[:, None] >= columns)
