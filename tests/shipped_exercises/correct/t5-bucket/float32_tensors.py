"""The order of operations of the widely used PyTorch code, in float32."""

import math

import torch


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    relative = torch.as_tensor(relative_position)
    buckets = torch.zeros_like(relative)
    if bidirectional:
        num_buckets //= 2
        buckets += (relative > 0).long() * num_buckets
        relative = relative.abs()
    else:
        relative = -torch.min(relative, torch.zeros_like(relative))
    exact = num_buckets // 2
    scaled = torch.log(relative.float() / exact) / math.log(max_distance / exact)
    far = exact + (scaled * (num_buckets - exact)).clamp(min=0).long()
    far = torch.min(far, torch.full_like(far, num_buckets - 1))
    return buckets + torch.where(relative < exact, relative, far)
