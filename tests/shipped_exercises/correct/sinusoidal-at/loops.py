import math

import numpy as np


def sinusoidal_at(positions, d):
    flat = [float(position) for position in np.ravel(positions)]
    codes = np.zeros((len(flat), d))
    for row, position in enumerate(flat):
        for i in range(d // 2):
            angle = position / 10000 ** (2 * i / d)
            codes[row, 2 * i], codes[row, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return codes.reshape(*np.shape(positions), d)
