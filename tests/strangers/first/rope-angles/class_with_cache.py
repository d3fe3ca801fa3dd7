"""A small class that grows its tables when more positions are asked for, one object for each head size and base.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The tables are kept by head size and base, and copies of the first n rows are returned.
"""
import numpy as np


class RopeTables:
    _made = {}

    def __init__(self, head_dim, base):
        self.inv_freq = 1.0 / (base ** (np.arange(0, head_dim, 2, dtype=np.float64) / head_dim))
        self.cos = np.zeros((0, head_dim // 2))
        self.sin = np.zeros((0, head_dim // 2))

    @classmethod
    def get(cls, head_dim, base):
        key = (int(head_dim), float(base))
        if key not in cls._made:
            cls._made[key] = cls(head_dim, base)
        return cls._made[key]

    def upto(self, n):
        if n > len(self.cos):
            angles = np.outer(np.arange(n), self.inv_freq)
            self.cos, self.sin = np.cos(angles), np.sin(angles)
        return self.cos[:n].copy(), self.sin[:n].copy()


def rope_cos_sin(n, head_dim, base=10000.0):
    return RopeTables.get(head_dim, base).upto(n)
