"""Two branches, one for each recipe.

Truth: wrong
Slips: the ntk branch computes the frequencies but does not return them
Names: none
Silent: no
Says: A fair person would say: With kind="ntk" the function returns None, because that branch has no return. Return the frequencies there too.
"""
import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    exponents = np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        frequencies = base**-exponents
        return frequencies / factor
    elif kind == "ntk":
        new_base = base * factor ** (head_dim / (head_dim - 2))
        frequencies = new_base**-exponents
