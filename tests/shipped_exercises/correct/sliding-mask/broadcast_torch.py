import torch


def sliding_mask(Lq, Lk, window):
    k = torch.arange(Lk)
    q = k[-Lq:, None]
    return torch.logical_and(k.le(q), (q - k).lt(window)).numpy()
