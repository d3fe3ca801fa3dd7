"""Adds up Kronecker products of a one-hot diagonal and a two by two turn.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Each Kronecker product puts one turning block at its place on the diagonal.
"""
from functools import reduce

import numpy as np


def turn(angle):
    z = np.exp(1j * angle)
    return np.array([[z.real, z.imag], [-z.imag, z.real]])


def shift(k, d, base=10000.0):
    places = np.eye(d // 2)
    blocks = (
        np.kron(np.diag(places[i]), turn(k * base ** (-2 * i / d)))
        for i in range(d // 2)
    )
    return reduce(np.add, blocks)
