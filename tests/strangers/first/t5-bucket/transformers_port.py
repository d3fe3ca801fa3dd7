"""A port of the function in transformers to NumPy.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. It follows the original step by step.
"""
import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    relative_buckets = 0
    if bidirectional:
        num_buckets //= 2
        relative_buckets += (relative_position > 0).astype(np.int64) * num_buckets
        relative_position = np.abs(relative_position)
    else:
        relative_position = -np.minimum(relative_position, np.zeros_like(relative_position))
    max_exact = num_buckets // 2
    is_small = relative_position < max_exact
    safe = np.maximum(relative_position, 1)
    if_large = max_exact + (
        np.log(safe.astype(np.float64) / max_exact)
        / np.log(max_distance / max_exact)
        * (num_buckets - max_exact)
    ).astype(np.int64)
    if_large = np.minimum(if_large, np.full_like(if_large, num_buckets - 1))
    relative_buckets += np.where(is_small, relative_position, if_large).astype(np.int64)
    return relative_buckets
