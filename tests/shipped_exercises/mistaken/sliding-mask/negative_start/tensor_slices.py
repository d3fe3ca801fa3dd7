import torch


def sliding_mask(Lq, Lk, window):
    mask = torch.zeros(Lq, Lk, dtype=torch.bool)
    for r, i in enumerate(range(Lk - Lq, Lk)):
        mask[r, i + 1 - window : i + 1] = True
    return mask
