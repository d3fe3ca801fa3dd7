"""The layers of a model as a strip: one cell for each, what it turns by and what it sees."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.configs import rope_in
from posenc.number_format import counted, grouped
from posenc.stack import Layer, Stack, as_runs

MOST_BASES = 3  # that have a colour of their own; further ones share the last


@dataclass(frozen=True)
class Kind:
    """What layers do that are alike. `position` and `sees` are words, `mark` a letter for both."""

    position: str
    sees: str
    mark: str
    css: str


@dataclass(frozen=True)
class Strip:
    """The kind of each layer, in order, and each kind once with the layers that are of it."""

    cells: tuple[Kind, ...]

    @property
    def kinds(self) -> list[tuple[Kind, str]]:
        """Return each kind with its layers in words: "layers 0–2"."""
        places: dict[Kind, list[int]] = {}
        for place, kind in enumerate(self.cells):
            places.setdefault(kind, []).append(place)
        return [
            (kind, f"{'layer' if len(at) == 1 else 'layers'} {as_runs(at)}")
            for kind, at in places.items()
        ]

    @property
    def is_uniform(self) -> bool:
        """Return whether all layers are alike, so that there is nothing to draw."""
        return len(set(self.cells)) == 1

    @property
    def size(self) -> str:
        return counted(len(self.cells), "layer")


def strip_of(stack: Stack) -> Strip:
    """Return the strip of a stack of layers."""
    bases = _order(rope.base for layer in stack.layers if (rope := rope_in(layer)) is not None)
    kinds = {layer: _kind_of(layer, bases) for layer, _ in stack.groups()}
    return Strip(tuple(kinds[layer] for layer in stack.layers))


def strip_of_pattern(pattern: Iterable[Mapping[str, Any]]) -> Strip:
    """Return the strip of one turn of a pattern that repeats through a model."""
    cells = list(pattern)
    bases = _order(cell["base"] for cell in cells if cell.get("base"))
    return Strip(
        tuple(
            _kind(cell.get("base"), bases, cell["sees"], cell.get("keys"))
            for cell in cells
            for _ in range(cell["layers"])
        )
    )


def _order(bases: Iterable[float]) -> dict[float, int]:
    """Return a number for each base, from 1 for the largest: the base of layers that see all."""
    return {
        base: min(number, MOST_BASES)
        for number, base in enumerate(sorted(set(bases), reverse=True), start=1)
    }


def _kind_of(layer: Layer, bases: Mapping[float, int]) -> Kind:
    rope = rope_in(layer)
    if layer.kind == "recurrent":
        sees, keys = "recurrent", None
    elif layer.kind == "compressed":
        sees, keys = "compressed", None
    elif layer.window is not None:
        sees, keys = "window", layer.window
    elif layer.chunk is not None:
        sees, keys = "chunk", layer.chunk
    else:
        sees, keys = "all", None
    kind = _kind(rope.base if rope is not None else None, bases, sees, keys)
    if isinstance(layer.encoding, Learned):
        return Kind("a learned table", kind.sees, "T", f"{kind.css} layer--table")
    if isinstance(layer.encoding, Alibi):
        return Kind("ALiBi", kind.sees, "A", f"{kind.css} layer--table")
    return kind


def _kind(base: float | None, bases: Mapping[float, int], sees: str, keys: int | None) -> Kind:
    if sees == "recurrent":
        return Kind("no attention", "a state of its own", "·", "layer--recurrent")
    turns = f"RoPE, base {grouped(base)}" if base else "no position"
    css = f"layer--base-{bases[base]}" if base else "layer--none"
    mark = "R" if base else "–"
    if base and len(bases) > 1:
        mark = "RSU"[bases[base] - 1]
    width = grouped(keys) if keys else "some"
    seen = {
        "all": "sees all",
        "window": f"a window of {width} keys",
        "chunk": f"chunks of {width}",
        "compressed": "compressed keys",
    }
    return Kind(turns, seen[sees], mark, f"{css} layer--{sees}")
