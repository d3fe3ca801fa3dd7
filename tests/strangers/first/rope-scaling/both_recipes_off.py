"""One formula for each recipe, with the change of base for both.

Truth: wrong
Slips: linear divides the base instead of the frequencies; ntk uses the exponent (D-2)/D instead of D/(D-2)
Names: lin_base, ntk_half
Silent: yes
Says: A fair person would say: For linear divide the frequencies, not the base, by factor. For ntk the exponent is D/(D-2); you have it upside down.
"""
import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    if kind == "linear":
        base = base / factor
    else:
        base = base * factor ** ((head_dim - 2) / head_dim)
    return 1.0 / base ** (np.arange(0, head_dim, 2) / head_dim)
