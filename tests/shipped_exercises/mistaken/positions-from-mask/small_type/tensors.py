import torch


def positions_from_mask(mask):
    m = torch.as_tensor(mask)
    return torch.where(m, m.cumsum(1) - 1, 0).to(torch.int8)
