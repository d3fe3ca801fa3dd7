"""A layer of self-attention in which any encoding acts.

Shapes: B = batch, L = tokens.
"""

import math

import torch
from torch import Tensor, nn

from posenc.attention import Projections, self_attention
from posenc.encoding import Encoding, Layout, Weights
from posenc.errors import ParameterError
from posenc.positions import require_whole_number
from posenc.torch_modules.hooks import EncodingModule, require_rows
from posenc.torch_modules.kept_tables import module_for

WIDEST = 65_536  # as every encoding


class SelfAttention(nn.Module):
    """Multi-head self-attention in which any encoding acts, at whichever hooks it uses.

    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2.
    """

    def __init__(
        self, d_model: int, n_heads: int, encoding: Encoding, *, causal: bool = False
    ) -> None:
        super().__init__()
        d_model = require_whole_number("d_model", d_model, low=1, high=WIDEST)
        n_heads = require_whole_number("n_heads", n_heads, low=1, high=d_model)
        if d_model % n_heads:
            raise ParameterError("n_heads", n_heads, f"must divide d_model={d_model}")
        if not isinstance(causal, bool):
            raise ParameterError("causal", causal, "must be True or False")
        self.n_heads, self.causal = n_heads, causal
        self.position = module_for(encoding)
        self.queries, self.keys, self.values, self.out = (
            nn.Parameter(torch.empty(d_model, d_model)) for _ in range(4)
        )
        for matrix in (self.queries, self.keys, self.values, self.out):
            nn.init.uniform_(matrix, -1 / math.sqrt(d_model), 1 / math.sqrt(d_model))

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return the attention output of the tokens x (B, L, d_model), of the same shape.

        Raises ParameterError.
        """
        if require_rows("x", x).shape[-1] != len(self.queries):
            raise ParameterError("x", x, f"must be (B, L, {len(self.queries)}), as d_model says")
        layer = Projections(self.queries, self.keys, self.values, self.n_heads)
        mixed: Tensor = self_attention(
            x,
            layer,
            encoding=_Hooks(self.position),
            positions=self.position.positions_or_all("positions", positions, "x", x),
            causal=self.causal,
        )
        return mixed @ self.out


class _Hooks(Encoding):
    """The hooks of a module, as attention takes them, so that its kept tables are used."""

    def __init__(self, module: EncodingModule) -> None:
        object.__setattr__(self, "module", module)
        for fact in ("extrapolates", "relative", "cost"):
            object.__setattr__(self, fact, getattr(module.encoding, fact))

    module: EncodingModule

    def on_embeddings(self, x: Tensor, positions: Tensor, weights: Weights) -> Tensor:
        del weights
        return self.module.on_embeddings(x, positions)

    def on_queries_and_keys(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        weights: Weights,
        *,
        layout: Layout = "BHLD",
    ) -> tuple[Tensor, Tensor]:
        del weights
        return self.module.on_queries_and_keys(q, k, q_positions, k_positions, layout=layout)

    def on_scores(
        self,
        scores: Tensor,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        weights: Weights,
    ) -> Tensor:
        del weights
        return self.module.on_scores(scores, q, k, q_positions, k_positions)

    def on_values(
        self,
        mixed: Tensor,
        attention: Tensor,
        q_positions: Tensor,
        k_positions: Tensor,
        weights: Weights,
    ) -> Tensor:
        del weights
        return self.module.on_values(mixed, attention, q_positions, k_positions)

    def require_all_seen(self, q: Tensor, q_positions: Tensor, k_positions: Tensor) -> None:
        self.module.encoding.require_all_seen(q, q_positions, k_positions)

    def positions_in_text(self, positions: Tensor) -> Tensor:
        placed: Tensor = self.module.encoding.positions_in_text(positions)
        return placed

    def order(self, positions: Tensor) -> Tensor:
        ordered: Tensor = self.module.encoding.order(positions)
        return ordered
