import numpy as np


def apply_rope_half(x, cos, sin):
    a, b = np.split(np.asarray(x), 2, axis=-1)
    c, s = np.asarray(cos), np.asarray(sin)
    return np.concatenate([a * c - b * s, a * s + b * c], axis=-1)
