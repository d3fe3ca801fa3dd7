import math

import numpy as np


def sinusoidal_table(n, d, base=10000.0):
    position = np.arange(n, dtype=np.float32)[:, None]
    div_term = np.exp(np.arange(0, d, 2, dtype=np.float32) * -(math.log10(base) / d))
    table = np.zeros((n, d), dtype=np.float32)
    table[:, 0::2] = np.sin(position * div_term)
    table[:, 1::2] = np.cos(position * div_term)[:, : d // 2]
    return table
