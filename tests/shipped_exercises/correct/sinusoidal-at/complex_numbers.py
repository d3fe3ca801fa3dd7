import numpy as np


def sinusoidal_at(positions, d):
    rates = np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    turns = np.exp(1j * np.multiply.outer(positions.astype(float), rates))
    both = np.stack([turns.imag, turns.real], axis=-1)
    return both.reshape((*positions.shape, d)).astype(np.float32)
