"""Pure Python generators; the cosine is a sine that is a quarter turn ahead.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. sin(x + pi/2) is cos(x), so one function fills all columns.
"""
import itertools
import math

import numpy as np


def columns(pos, d, base):
    for i in itertools.count():
        angle = pos * math.exp(-2 * i / d * math.log(base))
        yield math.sin(angle)
        yield math.sin(angle + math.pi / 2)


def sinusoidal_table(n, d, base=10000.0):
    rows = (itertools.islice(columns(p, d, base), d) for p in range(n))
    return np.array([list(r) for r in rows])
