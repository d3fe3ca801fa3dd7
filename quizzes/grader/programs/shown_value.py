"""A value as a page shows it: shape, dtype, its first numbers, a small picture of a matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quizzes.grader.judge import messages
from quizzes.grader.programs import sentences
from quizzes.grader.programs.runner import MAX_VALUE_TEXT, MOST_VALUES, TEXT, VALUE
from quizzes.grader.protocol import wire
from quizzes.grader.protocol.observation import Leaf
from quizzes.grader.protocol.sanitize import clean, clean_line

SIDE = 64  # cells of the picture, each way
FEW = 128  # numbers that are printed whole
EDGE = 3  # numbers at each end of an axis, where not all are printed
MOST_CELLS = 256  # that are printed of a larger array
SMALLEST, HUGE = 5e-5, 1e6  # what four places after the point show
_PICTURE_BOUNDS = wire.Bounds(header=1024, body=SIDE * SIDE * 8)
_ARRAYS = ("array", "tensor")


@dataclass(frozen=True)
class ShownValue:
    """A part of a value: what it is, its numbers as text, and a sentence about them, or "".

    `name`: of a part, "0" or "cos"; "" where the value is one thing. `kind`: `array`, `tensor`, or
    `text`, which is Python's own repr.
    """

    name: str
    kind: str
    what: str
    text: str
    note: str = ""


@dataclass(frozen=True, eq=False)
class ValuePicture:
    """The first rows and columns of a matrix, float64, at most 64 x 64; `shape` is the whole's."""

    name: str
    values: npt.NDArray[np.float64]
    shape: tuple[int, int]

    def to_bytes(self) -> bytes:
        """Return one wire frame, to be kept in a binary column."""
        header = {"name": self.name, "shape": list(self.shape)}
        return wire.encode(header, [("values", self.values)])

    @classmethod
    def from_bytes(cls, data: bytes) -> ValuePicture:
        """Return the picture that `to_bytes` made; raises wire.BadFrame for anything else."""
        frame = wire.decode(data, _PICTURE_BOUNDS)
        name, shape = frame.header.get("name"), frame.header.get("shape")
        cells = frame.arrays.get("values")
        if cells is None or cells.dtype != np.float64 or cells.ndim != 2 or cells.size == 0:
            raise wire.BadFrame("not the cells of a picture")
        if type(shape) is not list or len(shape) != 2 or not all(type(n) is int for n in shape):
            raise wire.BadFrame("a picture without the shape of its matrix")
        if type(name) is not str:
            raise wire.BadFrame("a picture without a name")
        return cls(name, cells, (shape[0], shape[1]))


def shown_values(leaves: Mapping[str, Leaf]) -> tuple[ShownValue, ...]:
    """Return what a call gave, part by part; nothing for a call that gives nothing."""
    text = leaves.get(TEXT)
    if text is not None:
        return (ShownValue("", "text", "", text_of(text)),)
    if "out" in leaves and leaves["out"].kind == "nested":
        return (ShownValue("", "text", messages.describe_leaf(leaves["out"]), ""),)
    return tuple(_shown(name, leaf) for name, leaf in _parts(leaves))


def picture_of(leaves: Mapping[str, Leaf]) -> ValuePicture | None:
    """Return the picture of the first matrix of numbers among the parts, None without one."""
    for name, leaf in _parts(leaves):
        values = leaf.values
        if values is not None and values.ndim == 2 and values.size > 1:
            if values.dtype.kind == "c":
                continue
            cells = values[:SIDE, :SIDE].astype(np.float64)
            return ValuePicture(name, cells, (int(values.shape[0]), int(values.shape[1])))
    return None


def text_of(leaf: Leaf | None) -> str:
    """Return the text in a leaf of bytes; a program that sends something else shows nothing."""
    if leaf is None or leaf.values is None or leaf.values.dtype != np.uint8:
        return ""
    return clean(leaf.values[: 4 * MAX_VALUE_TEXT + 4].tobytes(), MAX_VALUE_TEXT)


def _parts(leaves: Mapping[str, Leaf]) -> list[tuple[str, Leaf]]:
    parts = [
        (clean_line(key.removeprefix(VALUE).removeprefix("."), 40), leaf)
        for key, leaf in leaves.items()
        if key == VALUE or key.startswith(f"{VALUE}.")
    ]
    return parts[:MOST_VALUES]


def _shown(name: str, leaf: Leaf) -> ShownValue:
    if leaf.kind not in _ARRAYS:
        return ShownValue(name, "text", messages.describe_leaf(leaf), _number(leaf))
    what = f"{messages.describe_leaf(leaf)}, {messages.plain_dtype(leaf.dtype)}"
    if leaf.values is None:
        return ShownValue(name, leaf.kind, what, "", sentences.NOT_SHOWN)
    return ShownValue(name, leaf.kind, what, first_numbers(leaf.values), _note(leaf.values))


def _number(leaf: Leaf) -> str:
    if leaf.values is None or leaf.values.size != 1:
        return ""
    return clean(number_text(leaf.values.reshape(())), 80)


def number_text(value: npt.ArrayLike) -> str:
    """Write one number with up to six significant digits; a small number is not 0."""
    array = np.asarray(value)
    return str(array.item()) if array.dtype.kind in "biu" else f"{array.item():.6g}"


def first_numbers(values: wire.Array, few: int = FEW) -> str:
    """Return an array as NumPy prints it, the middle of one with more than `few` left out."""
    shown = first_part(values)
    printed = np.array2string(
        shown,
        precision=4,
        suppress_small=_is_readable(printed_cells(shown)),
        threshold=few,
        edgeitems=EDGE,
        max_line_width=132,
        separator=", ",
    )
    return clean(printed, MAX_VALUE_TEXT)


def first_part(values: wire.Array) -> wire.Array:
    """Return an array of which NumPy prints few cells: the whole, or its first part.

    NumPy leaves nothing out of an axis of up to six. It would print all 6^8 cells of an array with
    eight of them, which takes seconds, and no limit of the sandbox applies to them here.
    """
    if values.size <= FEW:
        return values
    cells = 1
    for axis in reversed(range(values.ndim)):
        longer = cells * min(values.shape[axis], 2 * EDGE)
        if longer > MOST_CELLS:
            where: tuple[int | slice, ...] = (*(0,) * axis, slice(MOST_CELLS // cells))
            part = values[where]
            return part.reshape((*(1,) * axis, *part.shape))
        cells = longer
    return values


def printed_cells(values: wire.Array) -> wire.Array:
    """Return the cells that NumPy prints: of a large array the first and last of each axis."""
    if values.size <= FEW:
        return values
    for axis, length in enumerate(values.shape):
        if length > 2 * EDGE:
            ends = [*range(EDGE), *range(length - EDGE, length)]
            values = values.take(ends, axis=axis)
    return values


def _is_readable(cells: wire.Array) -> bool:
    """Say whether four places after the point show these numbers: none is huge, or shown as 0."""
    if cells.dtype.kind not in "fc":
        return True
    sizes = np.abs(cells[np.isfinite(cells) & (cells != 0)])
    return not sizes.size or (float(sizes.min()) >= SMALLEST and float(sizes.max()) < HUGE)


def _note(values: wire.Array) -> str:
    """Say what part is printed, and how many numbers are not finite or between which all lie."""
    shown = first_part(values)
    part = "" if shown.size == values.size else sentences.first_part(shown.shape)
    return f"{part} {_range_of(values)}".strip()


def _range_of(values: wire.Array) -> str:
    nan, infinite = int(np.isnan(values).sum()), int(np.isinf(values).sum())
    if nan or infinite:
        return sentences.not_finite(nan, infinite, values.size)
    if values.size <= FEW or values.dtype.kind not in "fiu":
        return ""
    return sentences.between(number_text(values.min()), number_text(values.max()))
