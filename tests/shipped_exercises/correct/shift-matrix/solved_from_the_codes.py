"""Least squares on the codes themselves: no formula for the blocks, only the promise."""

import numpy as np


def shift(k, d, base=10000.0):
    matrix = np.zeros((d, d))
    for column in range(0, d, 2):
        inv_freq = base ** (-column / d)
        positions = np.arange(7.0) / inv_freq  # a radian apart, however slow the pair

        def codes(at, speed=inv_freq):
            return np.stack([np.sin(at * speed), np.cos(at * speed)], axis=-1)

        block = np.linalg.lstsq(codes(positions), codes(positions + k), rcond=None)[0]
        matrix[column : column + 2, column : column + 2] = block.T
    return matrix
