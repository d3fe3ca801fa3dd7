import numpy as np


def positions_and_mask(documents):
    positions = np.zeros(len(documents), dtype=int)
    mask = np.zeros((len(documents), len(documents)), dtype=bool)
    for number in np.unique(documents):
        places = np.flatnonzero(documents == number)
        positions[places] = np.arange(len(places))
        for i in places:
            mask[i, places[places <= i]] = True
    return positions, mask
