import numpy as np


def whole(x, positions, inv_freq):
    a, b = x[:, : len(inv_freq)], x[:, len(inv_freq) :]
    c, s = np.cos(np.outer(positions, inv_freq)), np.sin(np.outer(positions, inv_freq))
    return np.c_[a * c - b * s, b * c + a * s]


def rotate(x, positions, base, share, kind):
    head_dim = x.shape[1]
    rotary = int(share * head_dim)
    if kind == "partial":
        inv_freq = base ** -(np.arange(0, rotary, 2) / rotary)
        return np.c_[whole(x[:, :rotary], positions, inv_freq), x[:, rotary:]]
    inv_freq = base ** -(np.arange(0, head_dim, 2) / head_dim)
    inv_freq[rotary // 2 :] = 0
    return whole(x, positions, inv_freq)
