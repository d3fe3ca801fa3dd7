import numpy as np


def sliding_mask(Lq, Lk, window):
    rows = []
    for i in range(Lk - Lq, Lk):
        row = [False] * Lk
        for j in range(Lk)[i - window + 1 : i + 1]:
            row[j] = True
        rows.append(row)
    return np.array(rows)
