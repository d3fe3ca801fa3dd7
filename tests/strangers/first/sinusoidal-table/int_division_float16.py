"""Stores the table in a small dtype to save memory.

Truth: wrong
Slips: the table is float16; the exponent uses integer division and is 0 for every pair
Names: fp16, int_exponent
Silent: yes
Says: A fair person would say: float16 is not allowed here and too coarse, so use float32 or float64. And 2*i // d is 0 for every pair, so all pairs turn alike; use /.
"""
import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    table = np.zeros((n, d), dtype=np.float16)
    for p in range(n):
        for c in range(d):
            i = c // 2
            angle = p / base ** (2 * i // d)
            table[p, c] = np.sin(angle) if c % 2 == 0 else np.cos(angle)
    return table
