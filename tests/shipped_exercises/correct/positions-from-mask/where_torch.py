import torch


def positions_from_mask(mask):
    m = torch.from_numpy(mask.copy())
    return torch.where(m, torch.cumsum(m, 1) - 1, torch.zeros(m.shape, dtype=torch.long)).numpy()
