"""Complex exponentials, taken apart into real and imaginary part.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: the real part is the cosine and the imaginary part the sine of the asked angle.
"""

import numpy as np


def rope_cos_sin(n, head_dim, base=10000.0):
    freqs = np.power(float(base), -np.arange(0, head_dim, 2) / head_dim)
    turns = np.exp(1j * np.outer(np.arange(n), freqs))
    return turns.real.copy(), turns.imag.copy()
