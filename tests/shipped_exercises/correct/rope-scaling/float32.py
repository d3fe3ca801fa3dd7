import numpy as np


def scaled_inv_freq(head_dim, base, factor, kind):
    scale, number = np.float32(1), np.float32(base)
    if kind == "linear":
        scale = np.float32(factor)
    else:
        number = np.float32(base * factor ** (head_dim / (head_dim - 2)))
    exponents = np.arange(0, head_dim, 2, dtype=np.float32) / np.float32(head_dim)
    return 1 / (number**exponents * scale)
