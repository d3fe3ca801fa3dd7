import torch


def sliding_mask(Lq, Lk, window):
    hidden = torch.ones(Lq, Lk).triu(Lk - Lq + 1) + torch.ones(Lq, Lk).tril(Lk - Lq - window)
    return torch.zeros(Lq, Lk).masked_fill(hidden.bool(), float("-inf"))
