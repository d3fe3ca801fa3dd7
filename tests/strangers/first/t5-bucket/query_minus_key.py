"""Reads the relative position as query minus key.

Truth: other convention
Slips: relative positions are read as query minus key
Names: flip
Says: A fair person would say: This is right for query minus key, as some codes count. Here key minus query goes in, so a positive number is a key after the query.
"""
import numpy as np


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    distance = relative_position
    n = num_buckets
    start = np.zeros(distance.shape, dtype=np.int64)
    if bidirectional:
        n = n // 2
        start += n * (distance < 0)
        distance = np.abs(distance)
    else:
        distance = np.maximum(distance, 0)
    e = n // 2
    log_ratio = np.log(np.maximum(distance, e) / e) / np.log(max_distance / e)
    large = np.minimum(e + np.floor(log_ratio * (n - e)).astype(np.int64), n - 1)
    return start + np.where(distance < e, distance, large)
