"""Makes unit complex numbers for all angles and returns their real and imaginary parts.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The real part of exp(i*angle) is the cosine and the imaginary part the sine.
"""
import numpy as np


def rope_cos_sin(n, head_dim, base=10000.0):
    exponents = -2.0 * np.arange(head_dim // 2) / head_dim
    theta = np.float64(base) ** exponents
    freqs_cis = np.exp(1j * np.einsum("p,i->pi", np.arange(n), theta))
    return freqs_cis.real.copy(), freqs_cis.imag.copy()
