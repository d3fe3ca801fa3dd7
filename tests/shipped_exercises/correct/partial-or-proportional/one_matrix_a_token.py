import numpy as np


def rotate(x, positions, base, share, kind):
    D = x.shape[1]
    R = round(share * D)
    size = {"partial": R, "proportional": D}[kind]
    rows = []
    for vector, p in zip(x, positions, strict=True):
        turn = np.eye(D)
        for i in range(R // 2):
            j, angle = i + size // 2, p / base ** (2 * i / size)
            turn[i, i] = turn[j, j] = np.cos(angle)
            turn[i, j], turn[j, i] = -np.sin(angle), np.sin(angle)
        rows.append(turn @ vector)
    return np.stack(rows)
