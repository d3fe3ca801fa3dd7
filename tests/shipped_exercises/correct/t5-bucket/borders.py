"""Where each bucket begins, and a search: the logarithm is never taken of a distance."""

import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    n = num_buckets // 2 if bidirectional else num_buckets
    exact = n // 2
    growth = max_distance / exact
    far = [exact * growth ** (step / (n - exact)) for step in range(n - exact)]
    borders = np.concatenate([np.arange(exact), np.array(far) - 1e-6])
    before = np.where(relative_position < 0, -relative_position, 0)
    distance = np.abs(relative_position) if bidirectional else before
    found = np.searchsorted(borders, distance, side="right") - 1
    return (found + n * (relative_position > 0) * bidirectional).astype(np.int32)
