import torch


def sliding_mask(Lq, Lk, window):
    return torch.ones(Lq, Lk, dtype=torch.bool).tril(Lk - Lq).triu(Lk - Lq - window + 1)
