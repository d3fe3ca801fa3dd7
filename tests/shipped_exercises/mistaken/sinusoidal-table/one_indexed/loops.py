import math

import numpy as np


def sinusoidal_table(n, d, base=10000.0):
    table = np.zeros((n, d))
    for p in range(n):
        for i in range(1, d // 2 + d % 2 + 1):
            angle = p / base ** (2 * i / d)
            table[p, 2 * i - 2] = math.sin(angle)
            if 2 * i - 1 < d:
                table[p, 2 * i - 1] = math.cos(angle)
    return table
