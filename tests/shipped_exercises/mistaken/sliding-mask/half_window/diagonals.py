import torch


def sliding_mask(Lq, Lk, window):
    half = window // 2
    return torch.ones(Lq, Lk).triu(Lk - Lq - half).tril(Lk - Lq + half).bool()
