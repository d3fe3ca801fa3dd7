import numpy as np


def positions_from_mask(mask):
    positions = np.zeros(mask.shape, dtype=np.int8)
    for row, text in zip(positions, mask, strict=True):
        row[text] = np.arange(text.sum()).astype(np.int8)
    return positions
