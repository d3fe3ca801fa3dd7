from collections import Counter

import numpy as np


def positions_and_mask(documents):
    seen = Counter()
    positions = []
    for number in documents.tolist():
        positions.append(seen[number])
        seen[number] += 1
    return np.array(positions), np.tril(np.equal.outer(documents, documents))
