import numpy as np


def positions_and_mask(documents):
    n = len(documents)
    begins = [i for i in range(1, n) if documents[i] != documents[i - 1]]
    number = np.array([sum(begin <= i for begin in begins) for i in range(n)])
    positions = np.array([i - begins[number[i] - 1] for i in range(n)])
    return positions, np.tril(number[:, None] == number)
