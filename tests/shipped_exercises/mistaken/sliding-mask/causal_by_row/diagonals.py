import torch


def sliding_mask(Lq, Lk, window):
    return torch.ones(Lq, Lk).bool().tril().triu(Lk - Lq - window + 1)
