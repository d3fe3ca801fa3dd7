"""Temperatures of queries: scores grow with the position of a query, so attention stays sharp.

Source: Llama 4's code, models/llama4/model.py; Ministral 3 in transformers 5.24.0,
modeling_ministral3.py; Nakanishi 2025, Scalable-Softmax, arXiv:2501.19399.
Shapes: L = tokens, D = head_dim.
"""

from dataclasses import dataclass
from typing import Literal

from posenc.arrays import array_namespace, device, to_device
from posenc.encoding import Array
from posenc.errors import ParameterError
from posenc.parameters import param, parameters
from posenc.positions import in_float64, require_floating, require_positions


@dataclass(frozen=True)
class Temperature:
    """Multiply a query at position p, counted from 0, by a number that grows with p.

    - "llama4": 1 + strength ln(floor((p + 1) / length) + 1)
    - "ministral3": 1 + strength ln(1 + floor(p / length))
    - "ssmax": strength ln(p + 1), p + 1 being the number of keys of a causal query; no length

    The first two are 1 up to about `length`, and then grow in steps.

    >>> import numpy as np
    >>> Temperature("llama4", 0.1, 8192).at(np.array([8190, 8191, 131_071])).round(6).tolist()
    [1.0, 1.069315, 1.283321]
    """

    kind: Literal["llama4", "ministral3", "ssmax"] = param("llama4", doc="whose formula")
    strength: float = param(0.1, ge=0, le=1e3, doc="factor of the logarithm")
    length: int = param(8192, ge=1, le=2**31, doc="tokens of a step")

    def __post_init__(self) -> None:
        """Check every parameter. Raises ParameterError."""
        for parameter in parameters(type(self)):
            value = parameter.validate(getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, value)

    def at(self, positions: Array) -> Array:
        """Return the factor of each query, float64, (..., L). Raises ParameterError.

        Positions must be whole or fractional numbers from 0. A device without float64 leaves the
        factors on the CPU.
        """
        exact = in_float64(require_positions("positions", positions))
        xp = array_namespace(exact)
        if self.kind == "ssmax":
            return self.strength * xp.log(exact + 1)
        if self.kind == "llama4":
            return 1 + self.strength * xp.log(xp.floor((exact + 1) / self.length) + 1)
        return 1 + self.strength * xp.log(1 + xp.floor(exact / self.length))

    def on_queries(self, q: Array, positions: Array) -> Array:
        """Return q (..., H, L, D) times the factors of positions (L,) or (B, L), in its dtype.

        Raises ParameterError for arrays that do not fit.
        """
        if require_floating("q", q).ndim < 2:
            raise ParameterError("q", q, "must be (..., H, L, D)")
        factors = self.at(positions)
        xp = array_namespace(q)
        fits = factors.shape[-1] == q.shape[-2] and factors.ndim < q.ndim
        if array_namespace(positions) is not xp or not fits:
            raise ParameterError("positions", positions, "must be one for each row of q")
        if factors.ndim > 1:
            factors = factors[..., None, :]  # the same for all heads
        wide = xp.result_type(q.dtype, xp.float32)
        scaled = xp.astype(q, wide) * to_device(xp.astype(factors, wide), device(q))[..., None]
        return xp.astype(scaled, q.dtype, copy=False)
