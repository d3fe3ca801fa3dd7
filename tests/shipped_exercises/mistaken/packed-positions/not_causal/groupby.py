from itertools import groupby

import numpy as np


def positions_and_mask(documents):
    runs = [len(list(run)) for _, run in groupby(documents.tolist())]
    owner = np.repeat(range(len(runs)), runs)
    return np.concatenate([np.arange(run) for run in runs]), np.equal.outer(owner, owner)
