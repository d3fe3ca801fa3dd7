import numpy as np


def positions_and_mask(documents):
    positions = [0]
    for i in range(1, len(documents)):
        positions.append(positions[-1] + 1 if documents[i] == documents[i - 1] else 0)
    return np.array(positions), np.tri(len(documents), dtype=bool)
