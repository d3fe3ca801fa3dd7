"""Any encoding as a torch module: learned weights are parameters, hooks are methods.

Shapes: B = batch, H = heads, L = tokens (Lq queries, Lk keys), D = head_dim.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from posenc.encoding import Encoding, Layout, require_encoding
from posenc.ends import made_by_counting
from posenc.errors import ParameterError
from posenc.positions import heads_first, require_whole_number


class EncodingModule(nn.Module):
    """An encoding with its weights as parameters; call it for the one hook that it uses.

    Weights are drawn from `seed`, or from torch's generator, in its default dtype and on its
    default device; on the meta device they have shapes alone. Positions left out are 0, 1, 2 ... of
    the tokens at hand. The hooks compute in float32 or wider and return the dtype of their input.
    Raises ParameterError.
    """

    def __init__(self, encoding: Encoding, *, seed: int | None = None) -> None:
        super().__init__()
        self._encoding = require_encoding(encoding)
        if seed is not None:
            seed = require_whole_number("seed", seed, low=0, high=2**64 - 1)
        _prepare(encoding)
        self.names = tuple(encoding.weight_shapes)
        self.weights = nn.Module()  # a ParameterDict could not hold a weight called "keys"
        empty = {name: torch.empty(shape) for name, shape in encoding.weight_shapes.items()}
        here = torch.empty(())
        if type(here) is Tensor and not here.is_meta:  # fake tensors have no numbers either
            _draw(empty, encoding, seed)
        for name, tensor in empty.items():
            self.weights.register_parameter(name, nn.Parameter(tensor))

    @property
    def encoding(self) -> Encoding:
        """Return the encoding; another encoding needs a module of its own."""
        return self._encoding

    def forward(self, *arrays: Tensor, **options: Any) -> Any:
        """Call the encoding's only hook. Raises ParameterError if it has several."""
        hooks = self.encoding.hooks()
        if len(hooks) != 1:
            name, used = type(self.encoding).__name__, " and ".join(hooks)
            does = f"{used}: call them by name" if used else "none: each returns its input"
            raise ParameterError(
                "encoding", name, f"must use one hook to be called; it uses {does}"
            )
        hook: Callable[..., Any] = getattr(self, hooks[0])
        return hook(*arrays, **options)

    def on_embeddings(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return x (B, L, d_model) with positions in it."""
        positions = self.positions_or_all("positions", positions, "x", x)
        out: Tensor = self.encoding.on_embeddings(x, positions, self.learned)
        return out

    def on_queries_and_keys(
        self,
        q: Tensor,
        k: Tensor,
        q_positions: Tensor | None = None,
        k_positions: Tensor | None = None,
        *,
        layout: Layout = "BHLD",
    ) -> tuple[Tensor, Tensor]:
        """Return q (B, H, Lq, D) and k (B, H, Lk, D) with positions in them.

        With layout="BLHD" they are (B, Lq, H, D) and (B, Lk, H, D), and so is the result.
        """
        q_positions = self.positions_or_all("q_positions", q_positions, "q", q, layout=layout)
        k_positions = self.positions_or_all("k_positions", k_positions, "k", k, layout=layout)
        turned: tuple[Tensor, Tensor] = self.encoding.on_queries_and_keys(
            q, k, q_positions, k_positions, self.learned, layout=layout
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
        q_positions = self.positions_or_all("q_positions", q_positions, "q", q)
        k_positions = self.positions_or_all("k_positions", k_positions, "k", k)
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
        q_positions = self.positions_or_all("q_positions", q_positions, "mixed", mixed)
        require_rows("attention", attention)
        keys = attention.transpose(-1, -2)
        k_positions = self.positions_or_all("k_positions", k_positions, "attention", keys)
        out: Tensor = self.encoding.on_values(
            mixed, attention, q_positions, k_positions, self.learned
        )
        return out

    @property
    def learned(self) -> dict[str, Tensor]:
        """Return the weights by name, as hooks take them."""
        return {name: getattr(self.weights, name) for name in self.names}

    def extra_repr(self) -> str:
        """Return the encoding with its parameters, for printing a model."""
        return repr(self.encoding)

    def positions_or_all(
        self,
        name: str,
        positions: Tensor | None,
        rows_name: str,
        rows: Tensor,
        *,
        layout: Layout = "BHLD",
    ) -> Tensor:
        """Return the positions, or 0, 1, 2 ... for each row (..., L, D) if there are none.

        Raises ParameterError.
        """
        count = heads_first(rows_name, require_rows(rows_name, rows), layout)[-2]
        if positions is not None:
            return positions
        if type(self.encoding).order is not Encoding.order:
            raise ParameterError(name, None, "must be given: a position has several coordinates")
        with torch.inference_mode(False):  # torch.compile takes it by position alone
            counted: Tensor = made_by_counting(torch.arange(count, device=rows.device))
        return counted


def _prepare(encoding: Encoding) -> None:
    """Compute all that follows from the parameters: torch.compile cannot wait for a lock."""
    for kind in type(encoding).__mro__:
        for name, attribute in vars(kind).items():
            if isinstance(attribute, cached_property):
                made = getattr(encoding, name)
                if isinstance(made, Encoding):
                    _prepare(made)


def _draw(tensors: dict[str, Tensor], encoding: Encoding, seed: int | None) -> None:
    """Write freshly drawn weights into tensors of their shapes.

    Without a seed every encoding takes one number of torch's generator, even if it learns nothing:
    models that differ in their encoding alone begin with the same other weights.
    """
    if seed is None:
        seed = int(torch.randint(2**62, (), device="cpu"))
    for name, array in encoding.init_weights(np.random.default_rng(seed)).items():
        tensors[name].copy_(torch.from_numpy(array))


def require_rows(name: str, rows: object) -> Tensor:
    """Return a tensor of floating-point numbers (..., L, D). Raises ParameterError."""
    if not isinstance(rows, Tensor) or rows.ndim < 2 or not rows.is_floating_point():
        expected = "must be a torch tensor (..., L, D) of floating-point numbers"
        raise ParameterError(name, rows, expected)
    return rows
