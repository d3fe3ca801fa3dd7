from itertools import pairwise

import numpy as np


def positions_and_mask(documents):
    cuts = [0, *(np.flatnonzero(np.diff(documents)) + 1), len(documents)]
    positions = np.zeros(len(documents), dtype=int)
    mask = np.zeros((len(documents), len(documents)), dtype=bool)
    for first, last in pairwise(cuts):
        positions[first:last] = np.arange(last - first)
        mask[first:last, first:last] = True
    return positions, mask
