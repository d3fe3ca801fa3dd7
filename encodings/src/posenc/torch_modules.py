"""Encodings as torch modules: what an encoding learns are parameters, its hooks are methods.

Shapes: B = batch, H = heads, L = tokens (Lq queries, Lk keys), D = head_dim. Computing happens in
the encoding itself, so a module gives what the library gives, in every dtype and on every device.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from posenc.attention import Projections, self_attention
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Encoding
from posenc.errors import ParameterError


class EncodingModule(nn.Module):
    """An encoding with its weights as parameters; call it for the one hook that it uses.

    Weights are drawn from `seed`, or from torch's generator, and learned in its default dtype.
    Positions left out are 0, 1, 2 ... of the tokens at hand. The hooks compute in float32 or
    wider and return the dtype of what they were given.
    """

    def __init__(self, encoding: Encoding, *, seed: int | None = None) -> None:
        super().__init__()
        self.encoding = encoding
        seed = int(torch.randint(2**62, ())) if seed is None else seed
        drawn = encoding.init_weights(np.random.default_rng(seed))
        dtype = torch.get_default_dtype()
        self.weights = nn.Module()  # a ParameterDict could not hold a weight called "keys"
        for name, array in drawn.items():
            self.weights.register_parameter(name, nn.Parameter(torch.from_numpy(array).to(dtype)))

    def forward(self, *arrays: Tensor, **positions: Tensor) -> Any:
        """Return what the encoding's only hook returns. Raises ParameterError if it has several."""
        hooks = self.encoding.hooks()
        if len(hooks) != 1:
            used = ", ".join(hooks) or "none"
            name = type(self.encoding).__name__
            raise ParameterError("encoding", name, f"must use one hook, or call them: {used}")
        hook: Callable[..., Any] = getattr(self, hooks[0])
        return hook(*arrays, **positions)

    def on_embeddings(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return x (B, L, d_model) with positions in it."""
        positions = self.positions_or_all("positions", positions, x)
        out: Tensor = self.encoding.on_embeddings(x, positions, self.learned)
        return out

    def on_queries_and_keys(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor | None = None,
        k_positions: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return q (B, H, Lq, D) and k (B, H, Lk, D) with positions in them."""
        q_positions = self.positions_or_all("q_positions", q_positions, q)
        k_positions = self.positions_or_all("k_positions", k_positions, k)
        turned: tuple[Tensor, Tensor] = self.encoding.on_queries_and_keys(
            q, k, q_positions, k_positions, self.learned
        )
        return turned

    def on_scores(
        self,
        scores: Tensor,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor | None = None,
        k_positions: Tensor | None = None,
    ) -> Tensor:
        """Return scores (B, H, Lq, Lk) with a term for each pair."""
        q_positions = self.positions_or_all("q_positions", q_positions, q)
        k_positions = self.positions_or_all("k_positions", k_positions, k)
        out: Tensor = self.encoding.on_scores(scores, q, k, q_positions, k_positions, self.learned)
        return out

    def on_values(
        self,
        mixed: Tensor,
        attention: Tensor,
        q_positions: Tensor | None = None,
        k_positions: Tensor | None = None,
    ) -> Tensor:
        """Return the mixed values (B, H, Lq, D), given the attention weights (B, H, Lq, Lk)."""
        q_positions = self.positions_or_all("q_positions", q_positions, mixed)
        k_positions = self.positions_or_all("k_positions", k_positions, attention.transpose(-1, -2))
        out: Tensor = self.encoding.on_values(
            mixed, attention, q_positions, k_positions, self.learned
        )
        return out

    @property
    def learned(self) -> dict[str, Tensor]:
        """Return the weights by name, as hooks take them."""
        return dict(self.weights.named_parameters())

    def extra_repr(self) -> str:
        """Return the encoding with its parameters, for printing a model."""
        return repr(self.encoding)

    def positions_or_all(self, name: str, positions: Tensor | None, rows: Tensor) -> Tensor:
        """Return the positions, or 0, 1, 2 ... for each row if there are none."""
        if positions is not None:
            return positions
        if type(self.encoding).order is not Encoding.order:
            raise ParameterError(name, None, "must be given: a position has several coordinates")
        return torch.arange(rows.shape[-2], device=rows.device)


class SinusoidalModule(EncodingModule):
    """The sinusoidal encoding with a table of `max_len` rows as a buffer; call it with x (B, L, D).

    Longer texts and given positions are computed. The table is not in the state_dict: it follows
    from the parameters.
    """

    table: Tensor

    def __init__(self, encoding: Sinusoidal, *, max_len: int = 2048) -> None:
        super().__init__(encoding)
        self.made_in = torch.get_default_dtype()
        table = encoding.table(max_len, xp=torch, dtype=self.made_in)
        self.register_buffer("table", table, persistent=False)

    def on_embeddings(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return x (B, L, D) plus the code of its positions, in the dtype of x."""
        length = x.shape[-2]
        digits = max(torch.finfo(dtype).eps for dtype in (self.made_in, self.table.dtype))
        too_coarse = torch.finfo(x.dtype).eps < digits
        if positions is not None or length > len(self.table) or too_coarse:
            return super().on_embeddings(x, positions)
        return x + self.table[:length].to(x.dtype)


class RopeModule(EncodingModule):
    """RoPE that keeps the waves of positions 0, 1, 2 ... of the longest text it has seen.

    They are no buffers, since `.half()` would round them: they stay float32, or float64 for
    float64 queries. Given positions, and scalings that depend on the length, are computed.
    """

    def __init__(self, encoding: Rope) -> None:
        super().__init__(encoding)
        self.rope = encoding
        self._kept: dict[tuple[torch.device, torch.dtype], tuple[Tensor, Tensor]] = {}

    def on_queries_and_keys(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor | None = None,
        k_positions: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return q (B, H, Lq, D) and k (B, H or fewer, Lk, D) rotated."""
        if q_positions is not None or k_positions is not None or self.rope.by_length:
            return super().on_queries_and_keys(q, k, q_positions, k_positions)
        return self._turn(q), self._turn(k)

    def _turn(self, x: Tensor) -> Tensor:
        length, key = x.shape[-2], (x.device, torch.promote_types(x.dtype, torch.float32))
        if key not in self._kept or len(self._kept[key][0]) < length:
            positions = torch.arange(length, device=x.device)
            self._kept[key] = self.rope.waves(positions, like=x)
        cos, sin = self._kept[key]
        turned: Tensor = self.rope.turn(x, cos[:length], sin[:length])
        return turned


def module_for(encoding: Encoding) -> EncodingModule:
    """Return the module of an encoding: one that keeps its tables where that pays."""
    if isinstance(encoding, Sinusoidal):
        return SinusoidalModule(encoding)
    return RopeModule(encoding) if isinstance(encoding, Rope) else EncodingModule(encoding)


class SelfAttention(nn.Module):
    """Multi-head self-attention in which any encoding acts, at whichever hooks it uses.

    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2.
    """

    def __init__(
        self, d_model: int, n_heads: int, encoding: Encoding, *, causal: bool = False
    ) -> None:
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ParameterError("n_heads", n_heads, f"must divide d_model={d_model}")
        self.n_heads, self.causal = n_heads, causal
        self.position = module_for(encoding)
        self.queries, self.keys, self.values, self.out = (
            nn.Parameter(torch.empty(d_model, d_model)) for _ in range(4)
        )
        for matrix in (self.queries, self.keys, self.values, self.out):
            nn.init.uniform_(matrix, -1 / math.sqrt(d_model), 1 / math.sqrt(d_model))

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return what the tokens x (B, L, d_model) attend to, of the same shape."""
        layer = Projections(self.queries, self.keys, self.values, self.n_heads)
        mixed: Tensor = self_attention(
            x,
            layer,
            encoding=self.position.encoding,
            positions=self.position.positions_or_all("positions", positions, x),
            weights=self.position.learned,
            causal=self.causal,
        )
        return mixed @ self.out
