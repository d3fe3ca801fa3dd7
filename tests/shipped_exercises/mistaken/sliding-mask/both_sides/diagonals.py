import torch


def sliding_mask(Lq, Lk, window):
    full = torch.ones(Lq, Lk, dtype=torch.bool)
    return full.triu(Lk - Lq - window + 1).tril(Lk - Lq + window - 1)
