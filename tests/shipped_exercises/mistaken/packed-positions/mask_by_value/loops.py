import numpy as np


def positions_and_mask(documents):
    positions = [0]
    for i in range(1, len(documents)):
        positions.append(positions[-1] + 1 if documents[i] == documents[i - 1] else 0)
    n = range(len(documents))
    mask = np.array([[j <= i and documents[i] == documents[j] for j in n] for i in n])
    return np.array(positions), mask
