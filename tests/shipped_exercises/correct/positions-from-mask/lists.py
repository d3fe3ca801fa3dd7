from itertools import accumulate

import numpy as np


def positions_from_mask(mask):
    def number(row):
        counts = list(accumulate(row))
        return [counts[i] - 1 if row[i] else 0 for i in range(len(row))]

    return np.array([number(row) for row in mask.tolist()])
