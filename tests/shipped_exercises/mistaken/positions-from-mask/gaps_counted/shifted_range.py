import numpy as np


def positions_from_mask(mask):
    padding = np.where(mask.any(1), np.argmax(mask, 1), mask.shape[1])
    columns = np.arange(mask.shape[1])[None] - padding[:, None]
    return np.maximum(columns, 0) * mask
