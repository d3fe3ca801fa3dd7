import numpy as np


def positions_from_mask(mask):
    return np.concatenate([np.arange(text.sum()) for text in mask])
