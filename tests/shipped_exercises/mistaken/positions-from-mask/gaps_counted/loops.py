import numpy as np


def positions_from_mask(mask):
    positions = np.zeros(mask.shape, dtype=int)
    for b, row in enumerate(mask):
        places = np.flatnonzero(row)
        for place in places:
            positions[b, place] = place - places[0]
    return positions
