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
                j, rate = i + R // 2, base ** (-2 * i / D)
            a, b = x[row, i], x[row, j]
            cos, sin = math.cos(p * rate), math.sin(p * rate)
            out[row, i] = a * cos - b * sin
            out[row, j] = a * sin + b * cos
    return out
