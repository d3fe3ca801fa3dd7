from itertools import groupby

import numpy as np


def positions_and_mask(documents):
    runs = [len(list(run)) for _, run in groupby(documents.tolist())]
    owner = np.repeat(np.arange(len(runs)), runs)
    return owner, np.tril(owner[:, None] == owner[None, :])
