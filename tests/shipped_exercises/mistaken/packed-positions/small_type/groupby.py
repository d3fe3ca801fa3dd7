from itertools import groupby

import numpy as np


def positions_and_mask(documents):
    runs = [len(list(run)) for _, run in groupby(documents.tolist())]
    positions = np.array([i for length in runs for i in range(length)]).astype(np.int8)
    owner = np.repeat(np.arange(len(runs)), runs)
    return positions, np.tril(owner[:, None] == owner[None, :])
