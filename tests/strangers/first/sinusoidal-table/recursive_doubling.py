"""Builds the table by doubling: the second half of the positions follows from the first with the addition theorems.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The code of position p + m follows from that of p by a turn, so the doubling gives the same table.
"""
import numpy as np


def phases(n, omega):
    if n == 1:
        return np.ones((1, omega.size), dtype=complex)
    m = (n + 1) // 2
    first = phases(m, omega)
    second = first * np.exp(1j * m * omega)
    return np.concatenate([first, second])[:n]


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    pairs = (d + 1) // 2
    omega = base ** (-2.0 * np.arange(pairs) / d)
    z = phases(n, omega)
    table = np.stack([z.imag, z.real], axis=-1).reshape(n, 2 * pairs)
    return np.ascontiguousarray(table[:, :d])
