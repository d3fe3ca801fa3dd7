import numpy as np


def rope_cos_sin(n, head_dim, base=10000.0):
    turns = np.exp(
        1j * np.outer(np.arange(n), base ** (-2.0 * np.arange(head_dim // 2) / head_dim))
    )
    return [turns.real, turns.imag]
