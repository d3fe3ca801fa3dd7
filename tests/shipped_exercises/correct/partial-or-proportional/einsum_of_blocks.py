import numpy as np


def rotate(x, positions, base, share, kind):
    D = x.shape[1]
    n = int(share * D) // 2
    far = n if kind == "partial" else D // 2
    theta = np.einsum("l,p->lp", positions, base ** (-np.arange(n) / far))
    turn = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])
    where = np.array([np.arange(n), np.arange(n) + far])
    out = x.copy()
    out[:, where] = np.einsum("ablp,lbp->lap", turn, x[:, where])
    return out
