import numpy as np


def rotate(x, positions, base, share, kind):
    D = x.shape[-1]
    R = int(share * D)
    width = R if kind == "partial" else D
    half = width // 2
    rates = np.zeros(half)
    rates[: R // 2] = base ** (-np.arange(0.0, R, 2) / width)
    z = x[:, 0:width:2] + 1j * x[:, 1:width:2]
    z = z * np.exp(1j * np.outer(positions, rates))
    turned = np.dstack([z.real, z.imag]).reshape(len(x), -1)
    return np.hstack([turned, x[:, width:]])
