import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """The position of each token, (B, L) whole numbers.

    mask is (B, L), True at tokens and False at padding.
    """
    positions = np.zeros(mask.shape, dtype=int)
    # Count the tokens of each row, then mind the padding.
    return positions
