"""Computes an angle for each column, then takes sines and cosines of every other one.

Truth: wrong
Slips: each column has an angle of its own (exponent col/d) instead of one angle for each pair
Names: cos_own_exponent
Silent: yes
Says: A fair person would say: The cosine in column 2i+1 needs the angle of column 2i. Use 2 * (col // 2) / d in the exponent.
"""
import numpy as np


def get_angles(pos, i, d_model, base):
    angle_rates = 1 / np.power(base, i / np.float64(d_model))
    return pos * angle_rates


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    angle_rads = get_angles(np.arange(n)[:, np.newaxis], np.arange(d)[np.newaxis, :], d, base)
    angle_rads[:, 0::2] = np.sin(angle_rads[:, 0::2])
    angle_rads[:, 1::2] = np.cos(angle_rads[:, 1::2])
    return angle_rads
