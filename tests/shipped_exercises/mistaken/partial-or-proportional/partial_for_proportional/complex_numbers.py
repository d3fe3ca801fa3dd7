import numpy as np


def rotate(x, positions, base, share, kind):
    D = x.shape[-1]
    R = int(share * D)
    width = R
    half = width // 2
    rates = np.zeros(half)
    rates[: R // 2] = base ** (-np.arange(0.0, R, 2) / width)
    z = x[:, :half] + 1j * x[:, half:width]
    z = z * np.exp(1j * np.outer(positions, rates))
    return np.hstack([z.real, z.imag, x[:, width:]])
