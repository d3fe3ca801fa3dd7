"""Expanded tables kept in a dictionary, so that they are made once for each shape.

Truth: wrong
Slips: cosines and sines of the first call are kept by the shape of x and reused though other angles are given
Names: kept-between-calls
Silent: yes
Says: A fair person would say: you keep the tables by the shape of x, so a second call with other angles and the same shape is turned by the old ones. Use the cos and sin that are given in each call.
"""

import numpy as np

_tables = {}


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    key = (x.shape, x.dtype.str)
    if key not in _tables:
        _tables[key] = (np.repeat(cos, 2, axis=-1), np.repeat(sin, 2, axis=-1))
    c, s = _tables[key]
    rotated = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    return x * c + rotated * s
