"""Builds the angles in degrees first and converts them.

Truth: wrong
Slips: the angles are taken as degrees and turned into radians; the exponent uses integer division and so is always 0
Names: degrees, int_dtype
Silent: yes
Says: A fair person would say: The formula already gives radians, so leave out deg2rad. And 2*i // head_dim is always 0; use / so that each pair has its own frequency.
"""
import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    cos = np.zeros((n, head_dim // 2))
    sin = np.zeros((n, head_dim // 2))
    for p in range(n):
        for i in range(head_dim // 2):
            angle = np.deg2rad(p / base ** (2 * i // head_dim))
            cos[p, i] = np.cos(angle)
            sin[p, i] = np.sin(angle)
    return cos, sin
