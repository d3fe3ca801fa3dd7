"""The attention layers of a model, one after the other: layers may differ in what they do.

Source: what released models do, e.g. Gemma 3 (arXiv:2503.19786, section 2), Llama 4's and gpt-oss'
code, DeepSeek-V2 (arXiv:2405.04434, section 2.1.3) for a decoupled part that turns.
Shapes: H = heads, Lq queries, Lk keys, D = columns of a head, P = pairs.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from posenc.arrays import Array, array_namespace
from posenc.attention import NOTHING_LEARNED, attention
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import AxialRope, Rope2d
from posenc.encoding import Encoding, Weights, require_encoding
from posenc.errors import ParameterError
from posenc.positions import relative_positions, require_floating, require_whole_number
from posenc.stack.temperature import Temperature

MOST_LAYERS = 1024
MOST_TOKENS = 2**31
MOST_FREQUENCIES = 2**22  # 32 MiB
Kind = Literal["attention", "compressed", "recurrent"]


@dataclass(frozen=True)
class Layer:
    """What one layer does with position.

    A query sees at most `window` keys: itself and those just before it or, where the layer is not
    `causal`, half of them on each side. With a `chunk` it sees the keys of its own chunk of so many
    positions. The encoding acts on the last columns of a head; the first `unturned` columns, of
    MLA's decoupled queries and keys, are left alone. `sink` says that each head has a learned sink.
    A recurrent layer (Mamba, Gated DeltaNet) has no attention; a compressed one (DeepSeek-V4) has
    keys that stand for several tokens.
    """

    encoding: Encoding
    window: int | None = None
    temperature: Temperature | None = None
    chunk: int | None = None
    causal: bool = True
    sink: bool = False
    unturned: int = 0
    kind: Kind = "attention"

    def __post_init__(self) -> None:
        """Check every field. Raises ParameterError."""
        require_encoding(self.encoding)
        for name in ("window", "chunk"):
            if getattr(self, name) is not None:
                require_whole_number(name, getattr(self, name), low=1, high=MOST_TOKENS)
        if self.window is not None and self.chunk is not None:
            raise ParameterError("chunk", self.chunk, "must be None with a window")
        require_whole_number("unturned", self.unturned, low=0, high=65_536)
        if self.temperature is not None and not isinstance(self.temperature, Temperature):
            raise ParameterError("temperature", self.temperature, "must be a Temperature or None")
        if self.temperature is not None and isinstance(self.encoding, Rope2d | AxialRope):
            expected = "must be None: a position has several numbers, and a temperature needs one"
            raise ParameterError("temperature", self.temperature, expected)
        if self.kind not in get_args(Kind):
            raise ParameterError("kind", self.kind, f"must be one of {', '.join(get_args(Kind))}")
        for name in ("causal", "sink"):
            if not isinstance(getattr(self, name), bool):
                raise ParameterError(name, getattr(self, name), "must be True or False")

    @property
    def sees_all(self) -> bool:
        """Return whether a token can reach every earlier one in this layer."""
        return self.kind != "attention" or (self.window is None and self.chunk is None)

    def inv_freq(self, length: int | None = None) -> npt.NDArray[np.float64]:
        """Return radians per token, (P,), for a text of `length` tokens; empty if nothing turns."""
        match self.encoding:
            case Rope() as rope:
                return rope.inv_freq if length is None else rope.inv_freq_for(length)
            case Rope2d() as rope:
                return rope.rope.inv_freq
            case AxialRope() as rope:
                return rope.inv_freq
        return np.empty(0)

    @property
    def most_pairs(self) -> int:
        """Return half of the columns of a head with RoPE, 0 without it: no array is made."""
        match self.encoding:
            case Rope(head_dim=width) | Rope2d(head_dim=width) | AxialRope(head_dim=width):
                return width // 2
        return 0

    @property
    def score_scale(self) -> float:
        """Return the factor of the scores beyond 1/sqrt(D), 1 for all but DeepSeek's YaRN."""
        return self.encoding.score_scale if isinstance(self.encoding, Rope) else 1.0


@dataclass(frozen=True)
class Stack:
    """The layers of a model, in their order, and the longest text that its file states.

    `notes` are sentences about what a file leaves open and a reader of it has to know.
    """

    layers: tuple[Layer, ...]
    context: int | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the layers. Raises ParameterError."""
        if not isinstance(self.layers, tuple | list) or not 1 <= len(self.layers) <= MOST_LAYERS:
            raise ParameterError("layers", self.layers, f"must be 1 to {MOST_LAYERS} layers")
        for place, layer in enumerate(self.layers):
            if not isinstance(layer, Layer):
                raise ParameterError(f"layers[{place}]", layer, "must be a Layer")
        object.__setattr__(self, "layers", tuple(self.layers))
        if self.context is not None:
            require_whole_number("context", self.context, low=1, high=MOST_TOKENS)

    def attention_at(
        self,
        layer: int,
        q: Array,
        k: Array,
        v: Array,
        *,
        q_positions: Array,
        k_positions: Array,
        sink: Array | None = None,
        weights: Weights = NOTHING_LEARNED,
        scale: float | None = None,
    ) -> Array:
        """Return the mixed values (..., H, Lq, Dv) of one layer, counted from 0.

        Queries and keys are (..., H, L, D), in MLA the unturned columns first. The layer's mask,
        temperature and sink apply; `scale` replaces 1/sqrt(D), and the layer's `score_scale`
        multiplies either. What is not of position, such as norms of queries and keys or soft caps,
        is left to the caller. Raises ParameterError, also for a layer without attention.
        """
        chosen = self._layer(layer)
        if chosen.kind != "attention":
            raise ParameterError("layer", layer, f"must be one of attention, not {chosen.kind}")
        if chosen.sink != (sink is not None):
            expected = (
                f"must be {'(H,), since' if chosen.sink else 'None, since'} layer {layer} has"
            )
            raise ParameterError("sink", sink, f"{expected} {'one' if chosen.sink else 'none'}")
        require_floating("q", q)
        mask = self.mask_at(layer, q_positions, k_positions)
        if chosen.temperature is not None:
            q = chosen.temperature.on_queries(q, q_positions)
        encoding = chosen.encoding
        if chosen.unturned:
            q, k = _turned(chosen, q, k, q_positions, k_positions)
            encoding = NoPE()
        own = (1 / math.sqrt(q.shape[-1]) if scale is None else scale) * chosen.score_scale
        return attention(
            q,
            k,
            v,
            encoding=encoding,
            q_positions=_flat(chosen, q_positions),
            k_positions=_flat(chosen, k_positions),
            weights=weights,
            causal=chosen.causal,
            scale=own,
            mask=mask if mask.ndim == 2 else mask[..., None, :, :],
            sink=sink,
        )

    def mask_at(self, layer: int, q_positions: Array, k_positions: Array) -> Array:
        """Return whether each query sees each key in a layer, booleans, (..., Lq, Lk).

        Positions are those of the layer's encoding, (L,) or (B, L). Raises ParameterError.
        """
        chosen = self._layer(layer)
        queries, keys = (
            chosen.encoding.order(positions) for positions in (q_positions, k_positions)
        )
        if not chosen.sees_all and isinstance(chosen.encoding, Rope2d | AxialRope):
            raise ParameterError("layer", layer, "must have no window: positions are not in a row")
        offset = relative_positions(queries, keys)
        xp = array_namespace(offset)
        offset = offset if offset.ndim == 2 else offset[..., 0, :, :]
        seen = offset <= 0 if chosen.causal else xp.ones_like(offset, dtype=xp.bool)
        if chosen.window is not None:
            if chosen.causal:
                return seen & (offset > -chosen.window)
            return seen & (xp.abs(offset) <= chosen.window // 2)
        if chosen.chunk is not None:
            chunks = queries // chosen.chunk, keys // chosen.chunk
            return seen & (chunks[0][..., :, None] == chunks[1][..., None, :])
        return seen

    def frequencies(self, length: int | None = None) -> npt.NDArray[np.float64]:
        """Return radians per token, (layers, P), P being the most pairs of any layer.

        A pair that a layer does not have is NaN, as are all pairs of a layer without RoPE; a pair
        that it has and never turns is 0. Where they depend on it, `length` is the text's length;
        by default texts of up to the trained length. Raises ParameterError for a table of more
        than 2**22 numbers.
        """
        pairs = max(layer.most_pairs for layer in self.layers)
        if len(self.layers) * pairs > MOST_FREQUENCIES:
            expected = f"must have at most {MOST_FREQUENCIES // pairs} layers with {pairs} pairs"
            raise ParameterError("layers", len(self.layers), expected)
        rows = [layer.inv_freq(length) for layer in self.layers]
        table = np.full((len(rows), max(map(len, rows))), np.nan)
        for place, row in enumerate(rows):
            table[place, : len(row)] = row
        return table

    def reach(self) -> int | None:
        """Return how many tokens at most have a part in one output, itself counted; None if all.

        Windows W of n layers add up to about n W: each adds W - 1 tokens. Neighbouring layers with
        equal chunks reach no farther than one of them; where chunks and windows alternate, their
        borders can keep an output below this number.
        """
        if any(layer.sees_all for layer in self.layers):
            return None
        reached, above = 1, None  # counted from the output down
        for layer in reversed(self.layers):
            if layer.window is not None:
                reached += layer.window - 1 if layer.causal else 2 * (layer.window // 2)
            elif layer.chunk is not None and not _is_covered(layer, above):
                sides = 1 if layer.causal or reached == 1 else 2
                reached += sides * (layer.chunk - 1)
            above = layer
        return reached

    def _layer(self, layer: object) -> Layer:
        return self.layers[require_whole_number("layer", layer, low=0, high=len(self.layers) - 1)]

    def groups(self) -> tuple[tuple[Layer, tuple[int, ...]], ...]:
        """Return each different layer with the indexes of those like it, by first appearance."""
        places_of: dict[Layer, list[int]] = {}
        for place, layer in enumerate(self.layers):
            places_of.setdefault(layer, []).append(place)
        return tuple((layer, tuple(places)) for layer, places in places_of.items())


def _is_covered(layer: Layer, above: Layer | None) -> bool:
    """Return whether the layer above has seen all that a chunk of this one can see."""
    if above is None or above.chunk != layer.chunk:
        return False
    return layer.causal or not above.causal


def _turned(
    layer: Layer, q: Any, k: Any, q_positions: Array, k_positions: Array
) -> tuple[Any, Any]:
    """Return heads whose columns behind the unturned ones are turned. Raises ParameterError."""
    unturned = layer.unturned
    for name, heads in (("q", q), ("k", k)):
        if heads.shape[-1] <= unturned:
            expected = f"must have more than the {unturned} unturned columns"
            raise ParameterError(name, heads, expected)
    turned = layer.encoding.on_queries_and_keys(
        q[..., unturned:], k[..., unturned:], q_positions, k_positions, {}
    )
    concat = array_namespace(q).concat
    return tuple(
        concat([heads[..., :unturned], tail], axis=-1)
        for heads, tail in zip((q, k), turned, strict=True)
    )


def _flat(layer: Layer, positions: Array) -> Array:
    """Return one number for each token where MLA's heads are turned already, else the positions."""
    return layer.encoding.order(positions) if layer.unturned else positions
