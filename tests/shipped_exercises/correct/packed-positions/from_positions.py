import numpy as np


def positions_and_mask(documents):
    positions = [0]
    for i in range(1, len(documents)):
        goes_on = documents[i] == documents[i - 1]
        positions.append(positions[-1] + 1 if goes_on else 0)
    positions = np.array(positions)
    distance = np.arange(len(documents))[:, None] - np.arange(len(documents))
    return positions, (distance >= 0) & (distance <= positions[:, None])
