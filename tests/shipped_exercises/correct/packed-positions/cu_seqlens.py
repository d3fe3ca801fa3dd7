import numpy as np


def positions_and_mask(documents):
    cuts = np.flatnonzero(np.diff(documents)) + 1
    cu_seqlens = np.concatenate(([0], cuts, [len(documents)]))
    lengths = np.diff(cu_seqlens)
    positions = np.concatenate([np.arange(length) for length in lengths])
    mask = np.zeros((len(documents), len(documents)), bool)
    for first, length in zip(cu_seqlens, lengths, strict=False):
        mask[first : first + length, first : first + length] = np.tri(length, dtype=bool)
    return positions, mask
