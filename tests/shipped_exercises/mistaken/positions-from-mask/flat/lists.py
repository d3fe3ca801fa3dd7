import numpy as np


def positions_from_mask(mask):
    positions = []
    for text in mask:
        seen = 0
        for is_token in text:
            positions.append(seen if is_token else 0)
            seen += int(is_token)
    return np.array(positions)
