import torch


def sliding_mask(Lq, Lk, window):
    return torch.ones(Lq, Lk, dtype=torch.bool).tril().triu(1 - window)
