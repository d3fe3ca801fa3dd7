import numpy as np


def positions_from_mask(mask):
    positions = np.zeros(mask.shape, dtype=np.int32)
    for row, text in enumerate(mask):
        seen = 0
        for column, is_token in enumerate(text):
            if is_token:
                positions[row, column] = seen
                seen += 1
    return positions
