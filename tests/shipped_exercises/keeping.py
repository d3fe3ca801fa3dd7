"""Code that keeps something between calls: right solutions, wrapped or written so.

Wrappers are appended to the reference of any exercise whose answer is a function (`NAME`) or a
module; what needs code of its own is written for one exercise.
"""

from __future__ import annotations

MEMO = """

import functools as _functools

def _plain(value):
    if hasattr(value, "detach"):
        value = value.detach().numpy()
    if hasattr(value, "tobytes"):
        return value.dtype.str, value.shape, value.tobytes()
    return value

def _memo(function, key_of):
    kept = {}
    @_functools.wraps(function)
    def kept_or_made(**kwargs):
        key = key_of(kwargs)
        if key not in kept:
            kept[key] = function(**kwargs)
        return kept[key]
    return kept_or_made
"""

BY_EVERYTHING = f"""{MEMO}
NAME = _memo(NAME, lambda kwargs: tuple((name, _plain(kwargs[name])) for name in sorted(kwargs)))
"""

BY_IDENTITY = f"""{MEMO}
NAME = _memo(NAME, lambda kwargs: tuple(
    (name, id(value) if hasattr(value, "shape") else value)
    for name, value in sorted(kwargs.items())
))
"""

LRU_CACHE = """
import functools
NAME = functools.lru_cache(maxsize=None)(NAME)
"""

COUNTED = """
import functools as _functools
_calls = 0
def _counted(function):
    @_functools.wraps(function)
    def counting(**kwargs):
        global _calls
        _calls += 1
        return function(**kwargs)
    return counting
NAME = _counted(NAME)
"""

LAZY_LIBRARY = """
import functools as _functools
_decimal = None
def _importing(function):
    @_functools.wraps(function)
    def late(**kwargs):
        global _decimal
        if _decimal is None:
            import decimal as _decimal
        return function(**kwargs)
    return late
NAME = _importing(NAME)
"""

HONEST_FUNCTIONS = {
    "a dict by everything": BY_EVERYTHING,
    "a counter of calls": COUNTED,
    "a library imported in the call": LAZY_LIBRARY,
}

_MODULE = """
import torch as _torch
class _Keeping(NAME):
    def forward(self, *args, **kwargs):
        DO
        return super().forward(*args, **kwargs)
NAME = _Keeping
"""

HONEST_MODULES = {
    "a counter of calls": _MODULE.replace("DO", 'self.calls = getattr(self, "calls", 0) + 1'),
    "a buffer registered in forward": _MODULE.replace(
        "DO", 'hasattr(self, "seen") or self.register_buffer("seen", _torch.ones(2))'
    ),
    "chance in training": _MODULE.replace("DO", "self.training and _torch.rand(3)"),
    "a library imported in the call": _MODULE.replace("DO", "import decimal"),
}

MODULE_BY_IDENTITY = """
class _Keeping(NAME):
    def forward(self, **kwargs):
        key = tuple(id(value) if hasattr(value, "shape") else value for value in kwargs.values())
        kept = self.__dict__.setdefault("kept", {})
        if key not in kept:
            kept[key] = super().forward(**kwargs)
        return kept[key]
NAME = _Keeping
"""


def without(argument: str) -> str:
    """A memo by everything but one argument; of an array its shape and dtype are looked at."""
    return f"""{MEMO}
def _key(kwargs):
    named = sorted(kwargs.items())
    return tuple(
        (name, _plain(value)[:2] if hasattr(value, "shape") else "") if name == {argument!r}
        else (name, _plain(value))
        for name, value in named
    )
NAME = _memo(NAME, _key)
"""


_ROWS = """
import numpy as np
_kept = {}
def sinusoidal_table(n, d, base=10000.0):
    KEEP
    return _kept[d, base][:n]

def _make(n, d, base):
    angles = np.arange(n)[:, None] / base ** (2 * np.arange((d + 1) // 2) / d)
    table = np.empty((n, d))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles[:, : d // 2])
    return table
"""
_ANGLES = """
import numpy as np
_kept = {}
def rope_cos_sin(n, head_dim, base=10000.0):
    key = head_dim, base
    if key not in _kept or len(_kept[key]) < n:
        _kept[key] = np.arange(n)[:, None] * base ** (-np.arange(0, head_dim, 2) / head_dim)
    return np.cos(_kept[key][:n]), np.sin(_kept[key][:n])
"""
_ROTARY = """
import torch
_kept = {}
def _angles(length, dim, base):
    if (KEY) not in _kept:
        rates = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
        _kept[KEY] = torch.arange(length, dtype=torch.float64)[:, None] * rates
    return _kept[KEY]

def _turn(x, angles):
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : 2 * cos.shape[-1]].chunk(2, dim=-1)
    rest = x[..., 2 * cos.shape[-1] :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], dim=-1)

def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    angles = _angles(offset + q.shape[-2], rotary_dim, base)[offset:]
    return _turn(q, angles), _turn(k, angles)
"""
_LEARNED = """
import torch
from torch import nn
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)
        self.kept = {}

    def forward(self, x):
        length = x.size(1)
        if length > self.table.num_embeddings:
            raise ValueError("too long")
        if WHEN:
            self.kept[length] = KEEP
        return x + USE
"""
_BIAS = """
import torch
from torch import nn
class RelativePositionBias(nn.Module):
    def __init__(self, num_heads, max_distance):
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(2 * max_distance + 1, num_heads))
        self.kept = None

    def forward(self, Lq, Lk):
        k = self.max_distance
        relative = torch.arange(Lk)[None, :] - torch.arange(Lq)[:, None]
        if self.kept is None or self.kept.shape[1:] != (Lq, Lk) or self.training:
            self.kept = self.table[relative.clamp(-k, k) + k].permute(2, 0, 1)
        return self.kept
"""
_SCRIPTED = """
import torch
@torch.jit.script
def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
"""
_SCRIPTED_ROTARY = """
import torch
@torch.jit.script
def _turn(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    width = 2 * angles.shape[-1]
    a, b = x[..., :width].chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos, x[..., width:]], dim=-1)

def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    rates = base ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
    angles = torch.arange(offset, offset + q.shape[-2], dtype=torch.float64)[:, None] * rates
    return _turn(q, angles), _turn(k, angles)
"""
_SCRIPTED_LEARNED = """
import torch
from torch import nn
@torch.jit.script
def _added(x: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    return x + table[: x.size(1)]

class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)

    def forward(self, x):
        if x.size(1) > self.table.num_embeddings:
            raise ValueError("too long")
        return _added(x, self.table.weight)
"""
# Tables for all positions up to a length, cut at each call; SIZE says how long.
_CUT_ANGLES = """
import numpy as np
_kept = {}
def rope_cos_sin(n, head_dim, base=10000.0):
    key = head_dim, base
    if key not in _kept:
        _kept[key] = np.arange(2048)[:, None] * base ** (-np.arange(0, head_dim, 2) / head_dim)
    return np.cos(_kept[key][:n]), np.sin(_kept[key][:n])
"""
_DISTANCES = """
import numpy as np
_kept = {}
def alibi_bias(n_heads, Lq, Lk):
    size = SIZE
    if len(_kept.get("apart", ())) < size:
        place = np.arange(size)
        apart = (place[:, None] - place[None, :]).astype(float)
        _kept["apart"] = np.where(apart < 0, np.inf, apart)
    apart = _kept["apart"][Lk - Lq : Lk, :Lk]
    return -_slopes(n_heads)[:, None, None] * apart

def _slopes(n_heads):
    power = 2 ** int(np.floor(np.log2(n_heads)))
    first = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    rest = 2.0 ** (-4 * np.arange(1, 2 * power + 1) / power)
    return np.concatenate([first, rest[0::2][: n_heads - power]])
"""
_INDICES = """
import numpy as np
_kept = {}
def relative_index(Lq, Lk, k):
    size = SIZE
    if len(_kept.get(k, ())) < size:
        place = np.arange(size)
        _kept[k] = np.clip(place[None, :] - place[:, None], -k, k) + k
    return _kept[k][:Lq, :Lk]
"""
_GROWN_ROTARY = """
import torch
_kept = {}
def _turn(x, angles):
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : 2 * cos.shape[-1]].chunk(2, dim=-1)
    rest = x[..., 2 * cos.shape[-1] :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], dim=-1)

def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    end = offset + q.shape[-2]
    size = SIZE
    if len(_kept.get((rotary_dim, base), ())) < size:
        rates = base ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
        _kept[rotary_dim, base] = torch.arange(size, dtype=torch.float64)[:, None] * rates
    angles = _kept[rotary_dim, base][offset:end]
    return _turn(q, angles), _turn(k, angles)
"""


def _learned(**parts: str) -> str:
    source = _LEARNED
    for name, text in parts.items():
        source = source.replace(name, text)
    return source


_NEW = "length not in self.kept"
HONEST = {
    ("sinusoidal-table", "made for many positions and cut"): _ROWS.replace(
        "KEEP", "_kept.setdefault((d, base), _make(256, d, base))"
    ),
    ("sinusoidal-table", "grown for a longer text"): _ROWS.replace(
        "KEEP",
        "if len(_kept.get((d, base), ())) < n: _kept[d, base] = _make(n, d, base)",
    ),
    ("rope-angles", "grown for a longer text"): _ANGLES,
    ("rope-angles", "made for many positions and cut"): _CUT_ANGLES,
    ("alibi-bias", "made for many positions and cut"): _DISTANCES.replace("SIZE", "max(Lk, 256)"),
    ("alibi-bias", "grown for a longer text"): _DISTANCES.replace("SIZE", "Lk"),
    ("relative-index", "made for many positions and cut"): _INDICES.replace(
        "SIZE", "max(Lq, Lk, 256)"
    ),
    ("relative-index", "grown for a longer text"): _INDICES.replace("SIZE", "max(Lq, Lk)"),
    ("rotary", "made for many positions and cut"): _GROWN_ROTARY.replace("SIZE", "max(end, 256)"),
    ("rotary", "grown for a longer text"): _GROWN_ROTARY.replace("SIZE", "end"),
    ("rotary", "angles by length, width and base"): _ROTARY.replace("KEY", "length, dim, base"),
    ("apply-rope-half", "a scripted function"): _SCRIPTED,
    ("rotary", "a scripted function"): _SCRIPTED_ROTARY,
    ("learned-positions", "a scripted function"): _SCRIPTED_LEARNED,
}
# Kept as a plain attribute, which the statement forbids: right, but it stays behind on a move.
ATTRIBUTES = {
    ("learned-positions", "positions kept, rows read"): _learned(
        WHEN=_NEW, KEEP="torch.arange(length)", USE="self.table(self.kept[length])"
    ),
}
FORGETFUL = {
    ("rotary", "angles by length and width"): _ROTARY.replace("KEY", "length, dim"),
    ("learned-positions", "rows kept"): _learned(
        WHEN=_NEW, KEEP="self.table(torch.arange(length))", USE="self.kept[length]"
    ),
    ("learned-positions", "rows kept, made anew in training"): _learned(
        WHEN=f"self.training or {_NEW}",
        KEEP="self.table(torch.arange(length))",
        USE="self.kept[length]",
    ),
    ("relative-position-bias", "the bias kept, made anew in training"): _BIAS,
}
