import numpy as np


def rotate(*, x, positions, base, share, kind):
    D, R = x.shape[1], int(share * x.shape[1])
    size = R if kind == "partial" else D
    exponents = np.concatenate([np.arange(0, R, 2) / size, np.full((size - R) // 2, np.inf)])
    angles = positions.reshape(-1, 1) * float(base) ** -exponents
    a, b, tail = x[:, : size // 2], x[:, size // 2 : size], x[:, size:]
    c, s = np.cos(angles), np.sin(angles)
    return np.concatenate((a * c - b * s, a * s + b * c, tail), axis=1)
