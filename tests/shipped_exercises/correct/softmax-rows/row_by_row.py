"""Loops over rows in Python and takes out the hidden numbers, in float32."""

import math

import numpy as np


def softmax_rows(scores, mask=None, axis=-1):
    rows = np.moveaxis(np.array(scores, dtype=np.float32), axis, -1)
    seen = np.ones_like(rows, dtype=bool) if mask is None else np.moveaxis(mask, axis, -1)
    out = np.zeros_like(rows)
    for place in np.ndindex(rows.shape[:-1]):
        keys = [j for j in range(rows.shape[-1]) if seen[place][j]]
        if not keys:
            continue
        top = max(rows[place][j] for j in keys)
        powers = [math.exp(rows[place][j] - top) for j in keys]
        for j, power in zip(keys, powers, strict=True):
            out[place][j] = power / sum(powers)
    return np.moveaxis(out, -1, axis)
