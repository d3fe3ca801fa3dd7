import numpy as np


def positions_from_mask(mask):
    seen, row = 0, []
    for is_token in mask[0]:
        row.append(seen if is_token else 0)
        seen += int(is_token)
    return np.array([row] * len(mask))
