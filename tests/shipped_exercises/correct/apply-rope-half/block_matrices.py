import torch


def apply_rope_half(*, x, cos, sin):
    c, s = torch.diag_embed(cos), torch.diag_embed(sin)
    turn = torch.cat([torch.cat([c, -s], dim=2), torch.cat([s, c], dim=2)], dim=1)
    return torch.einsum("lij,bhlj->bhli", turn, x)
