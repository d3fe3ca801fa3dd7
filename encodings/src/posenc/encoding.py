"""An encoding: a frozen dataclass of parameters, with four hooks by which position can enter.

Shapes: H = heads, L = tokens (Lq queries, Lk keys), D = head_dim; leading axes broadcast.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from posenc.arrays import Array
from posenc.batches import positions_of_batch
from posenc.errors import ParameterError
from posenc.parameters import Parameter, param, parameters

__all__ = [
    "Array",
    "Encoding",
    "Layout",
    "Parameter",
    "Shapes",
    "Weights",
    "param",
    "parameters",
    "require_encoding",
]

Layout: TypeAlias = Literal["BHLD", "BLHD"]  # of queries and keys: are heads before tokens?
Weights: TypeAlias = Mapping[str, Array]
Shapes: TypeAlias = Mapping[str, tuple[int, ...]]

INIT_STD = 0.02  # of the normal distribution tables are drawn from, as GPT-2 and BERT do

HOOKS = ("on_embeddings", "on_queries_and_keys", "on_scores", "on_values")


@dataclass(frozen=True)
class Encoding:
    """Base of every encoding: a hook returns its input unchanged until a class overrides it.

    Positions are (..., L), integer or floating, and may be batched; a query and a key each
    have their own, so that one new query can meet a cache of earlier keys.
    """

    extrapolates: ClassVar[bool] = True  # defined beyond the length it was made for?
    relative: ClassVar[bool] = True  # do scores depend on key - query alone, not on where they are?
    cost: ClassVar[str] = "nothing"  # what a model pays, in words

    def __post_init__(self) -> None:
        """Check every parameter. Raises ParameterError."""
        for parameter in parameters(type(self)):
            value = parameter.validate(getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, value)

    @property
    def weight_shapes(self) -> Shapes:
        """Return the shapes of the learned weights by name; {} where nothing is learned."""
        return {}

    def draw(self, rng: np.random.Generator) -> Weights:
        """Return fresh weights of these shapes: from N(0, 0.02^2), in order, unless overridden."""
        return {
            name: rng.normal(scale=INIT_STD, size=shape)
            for name, shape in self.weight_shapes.items()
        }

    def init_weights(self, rng: np.random.Generator) -> Weights:
        """Return freshly drawn weights by name; {} where nothing is learned.

        The weights are float64 arrays of numpy. Raises ParameterError if `rng` is no Generator.
        """
        if not isinstance(rng, np.random.Generator):
            expected = "must be a Generator of numpy, for example numpy.random.default_rng(0)"
            raise ParameterError("rng", rng, expected)
        return self.draw(rng)

    def parameter_count(self) -> int:
        """Return the number of numbers in one set of weights, without drawing them."""
        return sum(map(math.prod, self.weight_shapes.values()))

    def on_embeddings(self, x: Array, positions: Array, weights: Weights) -> Array:
        """Return the embeddings x (..., L, d_model) with their positions in them."""
        del positions, weights
        return x

    def on_queries_and_keys(
        self,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
        *,
        layout: Layout = "BHLD",
    ) -> tuple[Array, Array]:
        """Return q (..., H, Lq, D) and k (..., H, Lk, D) with their positions in them.

        With layout="BLHD" they are (..., Lq, H, D) and (..., Lk, H, D), and so is the result.
        """
        del q_positions, k_positions, weights, layout
        return q, k

    def on_scores(
        self,
        scores: Array,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return scores (..., H, Lq, Lk), before softmax, with a term for each pair added."""
        del q, k, q_positions, k_positions, weights
        return scores

    def on_values(
        self,
        mixed: Array,
        attention: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return the mixed values (..., Lq, D), given the attention weights (..., Lq, Lk)."""
        del attention, q_positions, k_positions, weights
        return mixed

    def require_all_seen(self, q: Array, q_positions: Array, k_positions: Array) -> None:
        """Raise ParameterError unless every query may see every key, as it does without a mask.

        An encoding whose scores of far later keys leave the dtype of q overrides this.
        """
        del q, q_positions, k_positions

    def order(self, positions: Array) -> Array:
        """Return one number for each token, (..., L), larger for later tokens: the positions.

        An encoding whose positions have several coordinates overrides this.
        """
        return positions

    def positions_in_text(self, positions: Array) -> Array:
        """Return the positions that the hooks want for tokens of a text: (..., L) as it is.

        An encoding whose positions have several coordinates overrides this.
        """
        return positions

    def batch_positions(
        self, mask: Array | None = None, documents: Array | None = None, offset: Array | int = 0
    ) -> Array:
        """Return the positions that the hooks want for the tokens of a batch, from (..., L).

        This is the one place where positions of a batch are made. `mask` is True, or 1, at tokens
        and False at padding, on whichever side: tokens count from 0, and padding has position 0.
        `documents` are numbers of packed documents: the count starts again wherever the number
        changes. `offset`, a whole number or (B,), is how many tokens of each text a cache already
        has; with documents it counts for the first of them. Raises ParameterError.

        >>> import numpy as np
        >>> Encoding().batch_positions(np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])).tolist()
        [[0, 0, 0, 1, 2], [0, 1, 2, 3, 4]]
        >>> Encoding().batch_positions(documents=np.array([7, 7, 7, 2, 2])).tolist()
        [0, 1, 2, 0, 1]
        """
        return self.positions_in_text(positions_of_batch(mask, documents, offset))

    @classmethod
    def hooks(cls) -> tuple[str, ...]:
        """Return the names of the hooks this encoding uses, in the order of a layer."""
        return tuple(name for name in HOOKS if _hook(cls, name) is not _hook(Encoding, name))


def require_encoding(value: object) -> Encoding:
    """Return the encoding unchanged. Raises ParameterError for anything else."""
    if not isinstance(value, Encoding):
        raise ParameterError("encoding", value, "must be an encoding, for example Rope()")
    return value


def _hook(cls: type[Encoding], name: str) -> Callable[..., Any]:
    hook: Callable[..., Any] = getattr(cls, name)
    return hook
