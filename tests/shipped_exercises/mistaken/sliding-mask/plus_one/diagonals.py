import torch


def sliding_mask(Lq, Lk, window):
    full = torch.ones(Lq, Lk, dtype=torch.bool)
    return full.tril(Lk - Lq).triu(Lk - Lq - window)
