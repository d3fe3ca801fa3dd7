import numpy as np


def inv_freq(d, base=10000.0):
    pairs = -(-d // 2)
    return np.exp(-np.log(base) * np.linspace(0, 1, pairs, endpoint=False))
