"""Modules that keep a table, or the waves of positions, between calls.

Shapes: B = batch, H = heads, L = tokens (Lq queries, Lk keys), D = columns.
"""

from collections.abc import Callable
from typing import Self

import torch
from torch import Tensor

from posenc.arrays import outlives_the_call
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Encoding, Layout
from posenc.ends import counts_from_zero, made_by_counting
from posenc.errors import ParameterError, named
from posenc.positions import heads_first
from posenc.torch_modules.hooks import EncodingModule, require_rows


class SinusoidalModule(EncodingModule):
    """The sinusoidal encoding with a table of `max_len` rows as a buffer; call it with x (B, L, D).

    The codes of longer texts and of given positions are computed. The table is not in the
    state_dict: it follows from the parameters, and is made again in every dtype and on every device
    to which the module moves.
    """

    _encoding: Sinusoidal
    table: Tensor

    def __init__(self, encoding: Sinusoidal, *, max_len: int = 2048) -> None:
        if not isinstance(encoding, Sinusoidal):
            raise ParameterError("encoding", encoding, "must be a Sinusoidal")
        super().__init__(encoding)
        home = torch.get_default_device()
        with named(length="max_len"):
            table = self._exact(max_len, torch.get_default_dtype(), meta=home.type == "meta")
        self.register_buffer("table", table.to(home), persistent=False)

    def on_embeddings(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return x (B, L, D) plus the code of its positions, in the dtype of x."""
        length, width = require_rows("x", x).shape[-2:]
        kept = length <= len(self.table) and width == self.table.shape[1]
        # Of two half precisions neither has all digits of the other.
        mine, its = self.table.dtype.to_real(), x.dtype
        digits = mine == its or mine.itemsize > its.itemsize
        if not _count_rows(positions, length) or not kept or not digits:
            return super().on_embeddings(x, positions)
        table = self.table.real if self.table.is_complex() else self.table
        return x + table[:length].to(x.dtype)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Move as every module does; then write the table again: rounding twice is less exact."""
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if not self.table.is_meta:
            self.table.copy_(self._exact(len(self.table), self.table.dtype))
        return self

    def _exact(self, length: int, dtype: torch.dtype, *, meta: bool = False) -> Tensor:
        """Return the table on the CPU: not every device has the float64 it is made of.

        Half precision is rounded once from it, as the code of a single position is.
        """
        real = dtype.to_real()  # a model may be complex
        made_in = torch.float64 if real.itemsize < 4 else real
        with torch.device("meta" if meta else "cpu"):
            table: Tensor = self._encoding.table(length, xp=torch, dtype=made_in)
        return table.to(dtype)


class RopeModule(EncodingModule):
    """RoPE that keeps the waves of positions 0, 1, 2 ... of the longest text it has seen.

    The waves are no buffers, since `.half()` would round them: they stay float32, or float64 for
    float64 queries. The waves of given positions, and of scalings that depend on the length, are
    computed. A compiled or exported module keeps no new waves: it uses those of the longest text
    before.
    """

    _encoding: Rope

    def __init__(self, encoding: Rope) -> None:
        if not isinstance(encoding, Rope):
            raise ParameterError("encoding", encoding, "must be a Rope")
        super().__init__(encoding)
        self._kept: dict[tuple[torch.device, torch.dtype], tuple[Tensor, Tensor]] = {}

    def on_queries_and_keys(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor | None = None,
        k_positions: Tensor | None = None,
        *,
        layout: Layout = "BHLD",
    ) -> tuple[Tensor, Tensor]:
        """Return q (B, H, Lq, D) and k (B, H or fewer, Lk, D) rotated.

        With layout="BLHD" they are (B, Lq, H, D) and (B, Lk, H or fewer, D).
        """
        queries = heads_first("q", require_rows("q", q), layout)[-2]
        keys = heads_first("k", require_rows("k", k), layout)[-2]
        counted = _count_rows(q_positions, queries) and _count_rows(k_positions, keys)
        if not counted or self._encoding.by_length:
            return super().on_queries_and_keys(q, k, q_positions, k_positions, layout=layout)
        with named(x="q"):
            turned_q = self._turn(q, queries, layout)
        with named(x="k"):
            return turned_q, self._turn(k, keys, layout)

    def _turn(self, x: Tensor, length: int, layout: Layout) -> Tensor:
        key = x.device, torch.promote_types(x.dtype, torch.float32)
        waves = self._kept.get(key)
        if waves is None or len(waves[0]) < length:
            # Else a later training could not use them. torch.compile takes it by position alone.
            with torch.inference_mode(False):
                positions = made_by_counting(torch.arange(length, device=x.device))
                waves = self._encoding.waves(positions, like=x)
            if outlives_the_call(waves[0]):
                self._kept[key] = waves
        cos, sin = waves
        turned: Tensor = self._encoding.turn(x, cos[:length], sin[:length], layout=layout)
        return turned


def _count_rows(positions: Tensor | None, rows: int) -> bool:
    """Return whether positions, left out or counted by a module, are 0, 1, 2 ... of the rows."""
    if positions is None:
        return True
    return counts_from_zero(positions) and positions.shape[0] == rows


def module_for(encoding: Encoding) -> EncodingModule:
    """Return the module of an encoding, which keeps its tables where that saves time."""
    if isinstance(encoding, Sinusoidal):
        return SinusoidalModule(encoding)
    return RopeModule(encoding) if isinstance(encoding, Rope) else EncodingModule(encoding)
