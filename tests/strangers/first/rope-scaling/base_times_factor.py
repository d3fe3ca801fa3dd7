"""Enlarges the base by the factor for ntk.

Truth: wrong
Slips: the ntk base is base * factor without the exponent head_dim / (head_dim - 2)
Names: ntk_no_pow
Silent: yes
Says: A fair person would say: For ntk the base grows by factor ** (D / (D - 2)), not by factor. Without the exponent the last frequency is divided by less than factor.
"""
import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    exponents = np.arange(0, head_dim, 2) / head_dim
    if kind == "linear":
        return (1.0 / base**exponents) / factor
    if kind == "ntk":
        return 1.0 / (base * factor) ** exponents
    raise ValueError(kind)
