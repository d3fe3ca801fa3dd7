"""The base of encodings that add a bias to the scores: a number for each head, query and key.

Shapes: H = heads, Lq queries, Lk keys.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from posenc.encoding import Array, Encoding, Weights, param
from posenc.pairs import add_to_scores, require_scores


@dataclass(frozen=True)
class BiasEncoding(Encoding, ABC):
    """Base of an encoding whose bias follows from positions and weights alone: override `bias`.

    ALiBi computes its bias in the dtype of the scores, and the terms of Shaw, CoPE, Transformer-XL
    and DeBERTa depend on the contents of queries or keys: these override `on_scores` instead.
    """

    n_heads: int = param(8, ge=1, le=4096, slider=(1, 64, 1), doc="attention heads of the layer")

    @abstractmethod
    def bias(self, q_positions: Array, k_positions: Array, weights: Weights) -> Array:
        """Return the bias of each head and pair, (H, Lq, Lk), or (B, H, Lq, Lk) for a batch."""

    def on_scores(
        self,
        scores: Array,
        q: Array,
        k: Array,
        q_positions: Array,
        k_positions: Array,
        weights: Weights,
    ) -> Array:
        """Return scores (..., H, Lq, Lk) plus the bias, in their dtype."""
        del q, k
        require_scores(scores, q_positions, k_positions, n_heads=self.n_heads)
        return add_to_scores(scores, self.bias(q_positions, k_positions, weights))
