import math

import numpy as np


def rotate(x, positions, base, share, kind):
    D = x.shape[1]
    R = int(share * D)
    out = np.array(x, dtype=float)
    for row, p in enumerate(positions.tolist()):
        for i in range(R // 2):
            if kind == "partial":
                j, rate = 2 * i + 1, base ** (-2 * i / R)
            else:
                j, rate = 2 * i + 1, base ** (-2 * i / D)
            left = 2 * i
            a, b = x[row, left], x[row, j]
            cos, sin = math.cos(p * rate), math.sin(p * rate)
            out[row, left] = a * cos - b * sin
            out[row, j] = a * sin + b * cos
    return out
