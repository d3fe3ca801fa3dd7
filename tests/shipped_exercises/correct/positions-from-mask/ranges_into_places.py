import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    positions = np.zeros_like(mask, dtype=np.int64)
    for row in range(len(mask)):
        places = np.flatnonzero(mask[row])
        positions[row, places] = range(len(places))
    return positions
