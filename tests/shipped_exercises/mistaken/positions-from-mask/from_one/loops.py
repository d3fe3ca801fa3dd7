import numpy as np


def positions_from_mask(mask):
    rows = []
    for row in mask:
        n = 0
        numbers = []
        for here in row:
            n += int(here)
            numbers.append(n if here else 0)
        rows.append(numbers)
    return np.array(rows)
