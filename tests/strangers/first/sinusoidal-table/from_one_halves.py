"""Computes the sine half and the cosine half and joins them.

Truth: wrong
Slips: positions start at 1; all sines stand before all cosines
Names: pos_one, concat
Silent: yes
Says: A fair person would say: Row 0 is position 0, but yours start at 1. And sine and cosine of a pair must be neighbours, while you put all sines first.
"""
import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    pos = np.arange(1, n + 1, dtype=np.float64)[:, None]
    freq = np.exp(-np.log(base) * np.arange(0, d, 2) / d)[None, :]
    return np.concatenate([np.sin(pos * freq), np.cos(pos * freq)], axis=1)[:, :d]
