"""Positions that restart with each packed document, and the mask that keeps documents apart."""

import numpy as np


def positions_and_mask(documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(L,) int64 from the beginning of each document, and (L, L) True for earlier keys in it."""
    whole = documents.ndim == 1 and np.issubdtype(documents.dtype, np.integer)
    if not whole or not documents.size:
        raise ValueError("documents is an array of whole numbers (L,), and L is at least 1")
    columns = np.arange(len(documents))
    begins = np.concatenate([[True], documents[1:] != documents[:-1]])
    positions = columns - np.maximum.accumulate(np.where(begins, columns, 0))
    number = np.cumsum(begins)
    return positions, (number[:, None] == number) & (columns[:, None] >= columns)
