"""An expression as a page shows it: where it stands, what it was, in words, numbers and cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quizzes.grader.judge.messages import plain_dtype
from quizzes.grader.programs.shown_value import first_numbers, number_text
from quizzes.grader.protocol.recording import RecordedExpression, RecordedValue, Span
from quizzes.grader.protocol.wire import Array

FEW = 36  # numbers that are printed whole
SIDE = 16  # cells of the picture, each way
LEVELS = 254  # of its colours; 127 is 0
MOST_TEXT = 80  # characters of the expression
MOST_NUMBERS = 1_200  # characters


@dataclass(frozen=True)
class ExpressionPicture:
    """The first rows and columns of the first matrix of an array, as colours.

    `cells`: row by row, from 0 for `-limit` to 254 for `limit`; -1 for what is not finite.
    `is_part`: the array has more than these.
    """

    rows: int
    columns: int
    cells: list[int]
    limit: float
    is_part: bool


@dataclass(frozen=True)
class Expression:
    """What one expression was.

    `spans`: where it stands, and the names that were bound to its value: line from 1, column from 0
    in UTF-16 units, as editors count, and the same of its end. `which`: FIRST or LAST of several
    values is shown, "" for the only one. `known`: a right solution has the value as well.
    """

    spans: list[Span]
    text: str
    count: int
    which: str
    what: str
    numbers: str
    note: str = ""
    shape: str = ""
    dtype: str = ""
    picture: ExpressionPicture | None = None
    known: bool = False

    @property
    def line(self) -> int:
        return self.spans[0][0]

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Expression:
        """Return what `asdict` gave; raises TypeError for anything else."""
        picture = stored["picture"]
        spans = [tuple(span) for span in stored["spans"]]
        plain = {**stored, "spans": spans}
        return cls(**{**plain, "picture": ExpressionPicture(**picture) if picture else None})


FIRST, LAST = "first", "last"


def show_expression(
    expression: RecordedExpression, lines: Sequence[str], *, known: bool
) -> Expression | None:
    """Return it for a page; None for a value of which nothing can be said."""
    value = expression.values[-1]
    if value.kind == "silent":
        return None
    if expression.count == 1:
        which = ""
    else:
        which = LAST if expression.has_last else FIRST
        value = value if expression.has_last else expression.values[0]
    shape, dtype = "", ""
    if value.kind in ("array", "tensor"):
        shape, dtype = _shape_text(value.shape), plain_dtype(value.dtype)
    return Expression(
        spans=[_as_editors_count(span, lines) for span in expression.spans],
        text=_source_of(expression.spans[0], lines),
        count=expression.count,
        which=which,
        what=_what(value),
        numbers=_numbers(value),
        note=_note(value),
        shape=shape,
        dtype=dtype,
        picture=_picture(value),
        known=known,
    )


def _what(value: RecordedValue) -> str:
    if value.kind in ("array", "tensor"):
        article = "an array" if value.kind == "array" else "a tensor"
        return f"{article} of shape {_shape_text(value.shape)}, {plain_dtype(value.dtype)}"
    names = {"number": "a number", "none": "None", "text": "text", "list": f"a {value.type}"}
    if value.kind == "number" and value.type:
        return f"a number, {value.type}"
    return names.get(value.kind, f"an object of class {value.type}")


def _shape_text(shape: tuple[int, ...]) -> str:
    return str(shape)


def _numbers(value: RecordedValue) -> str:
    if value.numbers is not None:
        return first_numbers(value.numbers, FEW)[:MOST_NUMBERS]
    return "" if value.kind == "none" else value.text


def _note(value: RecordedValue) -> str:
    """Say between which numbers an array lies, and that not all of it is printed."""
    if value.kind not in ("array", "tensor"):
        return ""
    if value.numbers is None:
        return "Its numbers are not shown."
    least, most, odd = value.least, value.most, value.odd or 0
    if value.is_whole and value.numbers.dtype.kind in "fiu":
        finite = value.numbers[np.isfinite(value.numbers)]
        odd = value.numbers.size - finite.size
        least, most = (finite.min(), finite.max()) if finite.size else (None, None)
    parts = [] if value.is_whole else ["The first rows and columns."]
    if least is not None and most is not None and least != most:
        parts.append(f"From {number_text(least)} to {number_text(most)}.")
    if odd:
        parts.append(f"{odd} {'is' if odd == 1 else 'are'} NaN or infinite.")
    return " ".join(parts)


def _picture(value: RecordedValue) -> ExpressionPicture | None:
    numbers = value.numbers
    if numbers is None or numbers.size < 2 or numbers.dtype.kind not in "fiub":
        return None
    matrix = np.atleast_2d(numbers)
    matrix = matrix[(0,) * (matrix.ndim - 2)]
    cells = matrix[:SIDE, : SIDE if numbers.ndim > 1 else 2 * SIDE].astype(np.float64)
    finite = np.isfinite(cells)
    limit = float(np.abs(cells[finite]).max(initial=0.0))
    return ExpressionPicture(
        rows=int(cells.shape[0]),
        columns=int(cells.shape[1]),
        cells=_levels(cells, finite, limit),
        limit=limit,
        is_part=cells.size < int(np.prod(value.shape, dtype=np.float64)),
    )


def _levels(cells: Array, finite: Array, limit: float) -> list[int]:
    half = LEVELS / 2
    with np.errstate(all="ignore"):
        scaled = np.where(finite, cells, 0.0) / (limit or 1.0)
    levels = np.clip(np.rint(half + half * scaled), 0, LEVELS).astype(int)
    return [int(level) for level in np.where(finite, levels, -1).ravel()]


def _source_of(span: Span, lines: Sequence[str]) -> str:
    """Return the expression's text on one line, cut short."""
    line, start, end_line, end = span
    rows = [row.encode() for row in lines[line - 1 : end_line]]
    rows[-1] = rows[-1][:end]
    rows[0] = rows[0][start:]
    text = " ".join(b" ".join(rows).decode("utf-8", errors="replace").split())
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 1]}…"


def _as_editors_count(span: Span, lines: Sequence[str]) -> Span:
    line, start, end_line, end = span
    return line, _units(lines[line - 1], start), end_line, _units(lines[end_line - 1], end)


def _units(line: str, count: int) -> int:
    """Return how many UTF-16 units the first bytes of a line have."""
    before = line.encode()[:count].decode("utf-8", errors="ignore")
    return len(before.encode("utf-16-le")) // 2
