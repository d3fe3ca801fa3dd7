import math

import numpy as np


def shift(k, d, base=10000.0):
    matrix = np.eye(d)
    for pair in range(d // 2):
        angle = k / base ** (2 * pair / d)
        c, s = math.cos(angle), math.sin(angle)
        matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [[c, s], [-s, c]]
    return matrix
