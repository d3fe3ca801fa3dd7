"""Rounds an odd width up to the next even one, builds that table and drops the last column.

Truth: wrong
Slips: for odd d the frequencies are those of d + 1
Names: rounded_up_d
Silent: yes
Says: A fair person would say: With an odd d the exponent is still 2i/d; you divide by d + 1. Even widths are right.
"""
import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    width = d + d % 2
    freq = base ** (-np.arange(0, width, 2) / width)
    angle = np.einsum("i,j->ij", np.arange(n), freq)
    table = np.empty((n, width))
    table[:, ::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle)
    return table[:, :d]
