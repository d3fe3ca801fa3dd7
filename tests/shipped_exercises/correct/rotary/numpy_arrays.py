import numpy as np


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    positions = np.arange(offset, offset + q.shape[2])
    turns = np.exp(1j * np.outer(positions, base ** (-np.arange(0, rotary_dim, 2) / rotary_dim)))

    def turned(x):
        first, second = np.split(np.asarray(x)[..., :rotary_dim], 2, axis=-1)
        pairs = (first + 1j * second) * turns
        parts = [pairs.real, pairs.imag, np.asarray(x)[..., rotary_dim:]]
        return np.concatenate(parts, axis=-1).astype(np.asarray(x).dtype)

    return turned(q), turned(k)
