import numpy as np


def inv_freq(d, base=10000.0):
    found = []
    for column in range(0, d, 2):
        found.append(1 / base ** (column / d))
    return np.array(found)
