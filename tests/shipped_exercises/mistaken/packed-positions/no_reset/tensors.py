import torch


def positions_and_mask(documents):
    d = torch.as_tensor(documents)
    change = torch.cat([torch.zeros(1, dtype=torch.long), (d[1:] != d[:-1]).long()])
    segment = torch.cumsum(change, 0)
    return torch.arange(len(d)), torch.tril(segment[:, None] == segment)
