import math

import numpy as np


def rotate(x, positions, base, share, kind):
    D = x.shape[1]
    R = int(share * D)
    out = np.array(x, dtype=float)
    for row, p in enumerate(positions.tolist()):
        for i in range(R // 2):
            if kind == "partial":
                j, rate = i + R // 2, base ** (-2 * i / R)
            else:
                j, rate = i + D // 2, base ** (-2 * i / D)
            left = i
            if kind == "proportional":
                left = i + (D - R) // 2
                j, rate = left + D // 2, base ** (-2 * left / D)
            a, b = x[row, left], x[row, j]
            cos, sin = math.cos(p * rate), math.sin(p * rate)
            out[row, left] = a * cos - b * sin
            out[row, j] = a * sin + b * cos
    return out
