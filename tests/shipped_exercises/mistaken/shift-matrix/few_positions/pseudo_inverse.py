import numpy as np


def shift(k, d, base=10000.0):
    omega = base ** (-np.arange(0, d, 2) / d)

    def codes(positions):
        table = np.empty((d, len(positions)))
        table[0::2] = np.sin(np.outer(omega, positions))
        table[1::2] = np.cos(np.outer(omega, positions))
        return table

    positions = np.arange(len(omega))
    return codes(positions + k) @ np.linalg.pinv(codes(positions))
