"""Makes the table up to the largest position and looks the rows up.

Truth: wrong
Slips: fractions are cut to whole numbers for the look-up; all sines come first and then all cosines
Names: int_cast, concat
Silent: yes
Says: A fair person would say: Positions like 2.5 are cut to 2 because you look them up in a table; compute the angle of each position itself. And sines and cosines alternate here, sine in column 2i and cosine in 2i + 1.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    index = positions.astype(int)
    omega = 10000.0 ** (-np.arange(0, d, 2) / d)
    angles = np.arange(index.max() + 1)[:, None] * omega
    table = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return table[index]
