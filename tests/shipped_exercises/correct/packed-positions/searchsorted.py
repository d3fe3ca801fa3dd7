import numpy as np


def positions_and_mask(*, documents):
    index = np.arange(documents.size)
    starts = np.r_[0, np.flatnonzero(documents[1:] != documents[:-1]) + 1]
    which = np.searchsorted(starts, index, side="right") - 1
    mask = np.logical_and(which[:, None] == which, index[:, None] >= index)
    return index - starts[which], mask
