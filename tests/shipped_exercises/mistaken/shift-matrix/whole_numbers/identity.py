import numpy as np


def shift(k, d, base=10000.0):
    matrix = np.identity(d, dtype=int)
    for i in range(0, d, 2):
        angle = k / base ** (i / d)
        cos, sin = np.cos(angle), np.sin(angle)
        matrix[i : i + 2, i : i + 2] = [[cos, sin], [-sin, cos]]
    return matrix
