import numpy as np


def positions_from_mask(mask):
    return mask * np.indices(mask.shape)[1]
