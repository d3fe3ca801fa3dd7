import numpy as np


def positions_and_mask(
    documents: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The positions (L,) and the mask (L, L) of packed documents.

    documents is (L,), the number of each token's document.
    """
    length = len(documents)
    positions = np.zeros(length, dtype=int)
    mask = np.zeros((length, length), dtype=bool)
    # Where does a document begin?
    return positions, mask
