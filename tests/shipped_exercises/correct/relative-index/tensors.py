import torch


def relative_index(Lq, Lk, k):
    return (torch.arange(Lk)[None] - torch.arange(Lq)[:, None]).clamp(-k, k) + k
