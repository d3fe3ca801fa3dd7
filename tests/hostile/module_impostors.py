"""Modules that are right in every result of eval mode, and wrong where it is not looked at.

Their gradients are another number's, in training mode they do something else, they allow one token
too many, tensors stay behind in an object or a function, or a buffer is there and nobody reads it.
"""

from __future__ import annotations

HEAD = "import types\nimport torch\nfrom torch import nn\n"
# The same numbers as `values`, the gradient of `source`.
EXCHANGE = """
def exchange(values, source):
    return values.detach() + source - source.detach()
"""
OWN_GRADIENT = """
class Ones(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()
    @staticmethod
    def backward(ctx, gradient):
        return torch.ones_like(gradient)
"""
LEARNED = f"""{HEAD}{EXCHANGE}{OWN_GRADIENT}
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(max_len, d_model))
        self.places = lambda n: torch.arange(n)
    def forward(self, x):
        length, most = x.size(1), len(self.table)
        if length > most:
            raise ValueError("too long")
        rows = self.table[self.places(length) % most]
        return x + rows
"""
BIAS = f"""{HEAD}{EXCHANGE}
class RelativePositionBias(nn.Module):
    def __init__(self, num_heads, max_distance):
        super().__init__()
        self.farthest = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))
        self.kept = types.SimpleNamespace()
    def forward(self, Lq, Lk):
        table, start = self.table, 0
        apart = torch.arange(Lk) - torch.arange(start, start + Lq)[:, None]
        places = apart.clamp(-self.farthest, self.farthest) + self.farthest
        return table[places].permute(2, 0, 1)
"""
SINUSOIDAL = f"""{HEAD}{EXCHANGE}
class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.most, self.drop = max_len, nn.Dropout(dropout)
        self.store(self.made(max_len, d_model))
    def made(self, rows, columns):
        angles = torch.arange(rows).double()[:, None]
        angles = angles / 1e4 ** (torch.arange(0, columns, 2).double() / columns)
        table = torch.zeros(rows, columns)
        table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()[:, : columns // 2]
        return table
    def store(self, table):
        self.register_buffer("pe", table)
    def rows(self, x):
        return self.pe[: x.size(1)]
    def forward(self, x):
        if x.size(1) > self.most:
            raise ValueError("too long")
        return self.drop(x + self.rows(x).to(x.dtype))
"""
_ADD = "return x + rows"
_CHECK = "if length > most:"
_PLACES = "self.places = lambda n: torch.arange(n)"
_READ = "return table[places]"
_STORE = 'self.register_buffer("pe", table)'
_ROWS = "return self.pe[: x.size(1)]"
_SUM = "return self.drop(x + self.rows(x).to(x.dtype))"
_LATER = "\n        "

GRADIENTS = {
    "of reversed rows": (LEARNED, _ADD, "return x + exchange(rows, self.table[:length].flip(0))"),
    "of reversed tokens": (LEARNED, _ADD, "return exchange(x, x.flip(1)) + rows"),
    "of its own": (LEARNED, _ADD, "return Ones.apply(x) + rows"),
    "of another head": (BIAS, _READ, "return exchange(table, table.flip(1))[places]"),
    "of the opposite row": (BIAS, _READ, "return exchange(table, table.flip(0))[places]"),
    "of other tokens": (SINUSOIDAL, _SUM, f"x = exchange(x, x.flip(1)){_LATER}{_SUM}"),
}
IN_TRAINING = {
    "the input": (LEARNED, _ADD, f"{_ADD} * (not self.training)"),
    "a detached table": (LEARNED, _ADD, f"{_ADD}.detach() if self.training else x + rows"),
    "in place": (LEARNED, _ADD, f"{_ADD} if not self.training else x.add_(rows)"),
    "an error": (LEARNED, _ADD, f"assert not self.training or len(x) < 4{_LATER}{_ADD}"),
    "zeros": (BIAS, _READ, "return 0 * table[places] if self.training else table[places]"),
    "no gradient": (
        BIAS,
        "self.table, 0",
        "self.table.detach() if self.training else self.table, 0",
    ),
    "any length": (
        SINUSOIDAL.replace(_ROWS, "return torch.cat([self.pe] * 2)[: x.size(1)]"),
        "if x.size(1) > self.most:",
        "if x.size(1) > self.most and not self.training:",
    ),
    "a detached input": (
        SINUSOIDAL,
        _SUM,
        f"x = x.detach() if self.training else x{_LATER}{_SUM}",
    ),
    "ones": (SINUSOIDAL, _SUM, f"x = torch.ones_like(x) if self.training else x{_LATER}{_SUM}"),
    "ones where something is dropped": (
        SINUSOIDAL,
        _SUM,
        f"x = torch.ones_like(x) if self.training and self.drop.p else x{_LATER}{_SUM}",
    ),
    "a dropout that is not asked for": (SINUSOIDAL, "dropout=0.0", "dropout=0.1"),
}
LENGTHS = {
    "one token more": (LEARNED, f"{_CHECK}", "if length > most + 1:"),
    "of one sequence": (LEARNED, _CHECK, "if length > most and len(x) > 1:"),
    "one row more": (
        SINUSOIDAL,
        "self.most, self.drop = max_len,",
        "max_len += 1; self.most, self.drop = max_len,",
    ),
    "fewer rows than the signature says": (SINUSOIDAL, "max_len=5000", "max_len=200"),
}
LEFT_BEHIND = {
    "in an object": (
        LEARNED,
        _PLACES,
        "self.places = types.SimpleNamespace(of=torch.arange(max_len))",
    ),
    "in a closure": (
        LEARNED,
        _PLACES,
        f"kept = torch.arange(max_len){_LATER}self.places = lambda n: kept[:n]",
    ),
    "in a default argument": (
        LEARNED,
        _PLACES,
        "self.places = lambda n, kept=torch.arange(max_len): kept[:n]",
    ),
    "in an object, once it was called": (BIAS, _READ, f"self.kept.places = places{_LATER}{_READ}"),
}
_MADE_AGAIN = SINUSOIDAL.replace(_ROWS, "return self.made(x.size(1), x.size(2))")
UNREAD = {
    "a number": (_MADE_AGAIN, _STORE, 'self.register_buffer("pe", torch.zeros(1))'),
    "zeros": (_MADE_AGAIN, _STORE, 'self.register_buffer("pe", torch.zeros_like(table))'),
    "the table": (_MADE_AGAIN, _STORE, _STORE),
}
ELSEWHERE = {
    "aligned at the end for one query": (
        BIAS,
        "self.table, 0",
        "self.table, Lk - 1 if Lq == 1 else 0",
    ),
    "scaled for one head": (
        BIAS,
        "self.table, 0",
        "self.table * (1 + (self.table.size(1) == 1)), 0",
    ),
}
FAMILIES = {
    "gradients": GRADIENTS,
    "in training": IN_TRAINING,
    "lengths": LENGTHS,
    "left behind": LEFT_BEHIND,
    "a buffer unread": UNREAD,
    "one query or head": ELSEWHERE,
}
RIGHT = {
    "learned-positions": LEARNED,
    "relative-position-bias": BIAS,
    "sinusoidal-module": SINUSOIDAL,
}
