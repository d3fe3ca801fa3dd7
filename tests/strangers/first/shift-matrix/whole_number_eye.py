"""Starts from an identity of whole numbers and fills in the blocks.

Truth: wrong
Slips: the matrix has an integer dtype, so every cosine and sine is cut to a whole number
Names: whole_numbers
Silent: yes
Says: A fair person would say: np.eye(d, dtype=int) can hold whole numbers only, so cosines and sines are cut off to 0 or 1. Leave the dtype out.
"""
import numpy as np


def shift(k: int, d: int, base: float = 10000.0) -> np.ndarray:
    m = np.eye(d, dtype=int)
    for i in range(0, d, 2):
        angle = k / base ** (i / d)
        m[i, i] = np.cos(angle)
        m[i, i + 1] = np.sin(angle)
        m[i + 1, i] = -np.sin(angle)
        m[i + 1, i + 1] = np.cos(angle)
    return m
