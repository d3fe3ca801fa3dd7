import numpy as np


def positions_and_mask(documents):
    n = len(documents)
    position, positions, number = 0, [], [0]
    for i in range(n):
        positions.append(position)
        position += 1
        if i and documents[i] != documents[i - 1]:
            position = 0
    for i in range(1, n):
        number.append(number[-1] + int(documents[i] != documents[i - 1]))
    number = np.array(number)
    return np.array(positions), np.tril(number[:, None] == number)
