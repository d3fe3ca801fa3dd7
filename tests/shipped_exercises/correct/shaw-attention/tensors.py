import torch


def shaw_attention(q, k, v, key_table, value_table):
    q, k, v, a, b = (torch.tensor(array) for array in (q, k, v, key_table, value_table))
    clip = a.shape[0] // 2
    rows = (torch.arange(k.shape[-2]) - torch.arange(q.shape[-2])[:, None]).clamp(
        -clip, clip
    ) + clip
    scores = q @ k.transpose(-1, -2) + torch.einsum("bhqd,qkd->bhqk", q, a[rows])
    weights = torch.softmax(scores / q.shape[-1] ** 0.5, dim=-1)
    return weights @ v + torch.einsum("bhqk,qkd->bhqd", weights, b[rows])
