import torch


def positions_and_mask(documents):
    ids = torch.as_tensor(documents)
    change = torch.ones_like(ids, dtype=torch.bool)
    change[1:] = ids[1:] != ids[:-1]
    segment = change.long().cumsum(0)
    at = torch.arange(len(ids))
    starts = torch.cummax(torch.where(change, at, 0), 0).values
    mask = (segment[:, None] == segment[None]).tril()
    return (at - starts).to(torch.int8), mask
