"""A rotary class with a module-wide instance that keeps its tables as long as they are long enough.

Truth: wrong
Slips: tables of an earlier call are reused whenever they are long enough, though other angles are given
Names: kept-between-calls
Silent: yes
Says: A fair person would say: your object keeps the tables of the first call and uses them again for other cos and sin of the same width. The result has to come from the cos and sin of this call.
"""

import torch


class Rotary:
    def __init__(self):
        self.length = 0
        self.cos = None
        self.sin = None

    def tables(self, cos, sin):
        if (
            self.cos is None
            or cos.shape[0] > self.length
            or cos.shape[1] * 2 != self.cos.shape[1]
            or cos.dtype != self.cos.dtype
        ):
            self.length = cos.shape[0]
            self.cos = torch.cat([cos, cos], dim=-1)
            self.sin = torch.cat([sin, sin], dim=-1)
        return self.cos[: cos.shape[0]], self.sin[: sin.shape[0]]

    def __call__(self, x, cos, sin):
        c, s = self.tables(cos, sin)
        left, right = x.chunk(2, dim=-1)
        return x * c + torch.cat([-right, left], dim=-1) * s


_rotary = Rotary()


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    return _rotary(x, cos, sin)
