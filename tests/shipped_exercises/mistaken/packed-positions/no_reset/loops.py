import numpy as np


def positions_and_mask(documents):
    n = len(documents)
    number = [0]
    for i in range(1, n):
        number.append(number[-1] + (documents[i] != documents[i - 1]))
    mask = np.array([[j <= i and number[i] == number[j] for j in range(n)] for i in range(n)])
    return np.array(range(n)), mask
