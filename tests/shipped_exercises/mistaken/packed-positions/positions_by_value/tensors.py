import torch


def positions_and_mask(documents):
    ids = torch.as_tensor(documents)
    change = torch.ones_like(ids, dtype=torch.bool)
    change[1:] = ids[1:] != ids[:-1]
    segment = change.long().cumsum(0)
    earlier = (ids[:, None] == ids[None]).tril(-1)
    mask = (segment[:, None] == segment[None]).tril()
    return earlier.sum(1), mask
