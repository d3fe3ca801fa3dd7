"""Finds where each bucket begins, keeps these edges and sorts distances with searchsorted.

Truth: wrong
Slips: the kept edges are looked up by the number of buckets alone, so another max_distance gets old edges
Names: kept-between-calls
Silent: yes
Says: A fair person would say: The bucket edges depend on max_distance as well, but your cache is keyed by n only. A second call with another max_distance uses the edges of the first.
"""
import numpy as np

EDGES = {}


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    n = num_buckets // 2 if bidirectional else num_buckets
    if n not in EDGES:
        e = n // 2
        r = np.arange(e, max_distance + 1)
        b = e + np.floor(np.log(r / e) / np.log(max_distance / e) * (n - e)).astype(int)
        b = np.minimum(b, n - 1)
        near = np.arange(1, e + 1)
        far = [r[np.argmax(b >= m)] for m in range(e + 1, n)]
        EDGES[n] = np.concatenate([near, far]).astype(int)
    if bidirectional:
        found = np.searchsorted(EDGES[n], np.abs(relative_position), side="right")
        return found + np.where(relative_position > 0, n, 0)
    return np.searchsorted(EDGES[n], np.maximum(-relative_position, 0), side="right")
