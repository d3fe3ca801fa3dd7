import numpy as np


def rotate(x, positions, base, share, kind):
    head = x.shape[-1]
    size = int(share * head) if kind == "partial" else head
    column = np.arange(head)
    pair = column % (size // 2)
    moves = (column < size) & (pair < share * head / 2)
    freq = np.where(moves, base ** (-2.0 * pair / size), 0)
    partner = np.where(moves, np.where(column < size // 2, column + size // 2, pair), column)
    sign = np.where(column < size // 2, -1, 1)
    angles = np.multiply.outer(positions, freq)
    return x * np.cos(angles) + sign * x[:, partner] * np.sin(angles)
