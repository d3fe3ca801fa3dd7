import numpy as np


def rotate(x, positions, base, share, kind):
    D = x.shape[-1]
    R = int(share * D)
    width = R if kind == "partial" else D
    half = width // 2
    rates = np.zeros(half)
    rates[: R // 2] = base ** (-np.arange(0.0, R, 2) / width)
    angles = np.outer(positions, rates).repeat(2, axis=1)
    a, b = x[:, :half], x[:, half:width]
    turned = np.hstack([a, b]) * np.cos(angles) + np.hstack([-b, a]) * np.sin(angles)
    return np.hstack([turned, x[:, width:]])
