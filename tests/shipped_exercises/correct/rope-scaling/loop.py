import numpy as np


def scaled_inv_freq(head_dim, base, factor, kind):
    found = []
    for column in range(0, head_dim, 2):
        if kind == "linear":
            found.append(base ** (-column / head_dim) / factor)
        else:
            found.append(base ** (-column / head_dim) * factor ** (-column / (head_dim - 2)))
    return np.array(found)
