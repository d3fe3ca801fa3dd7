"""An expression as a page shows it: where it stands, what it was, in words, numbers and cells.

Most expressions of a program have a value that another one has too, names above all. So the values
are stored apart, each once, and the expressions say which is theirs.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from quizzes.grader.judge.messages import plain_dtype
from quizzes.grader.programs import sentences
from quizzes.grader.programs.shown_value import first_numbers, number_text
from quizzes.grader.programs.xray.first_difference import FirstDifference
from quizzes.grader.programs.xray.known_values import KnownValues
from quizzes.grader.protocol.recording import RecordedExpression, RecordedValue, Span
from quizzes.grader.protocol.wire import Array

FEW = 36  # numbers that are printed whole
SIDE = 16  # cells of the picture, each way
LEVELS = 254  # of its colours; 127 is 0
MOST_TEXT = 80  # characters of the expression
MOST_NUMBERS = 1_200  # characters
FULL = "This X-ray is full: the value is not shown."


@dataclass(frozen=True)
class ExpressionPicture:
    """The first rows and columns of the first matrix of an array, as colours.

    `cells`: a byte for each in base64, row by row: 127 is 0, 0 and 254 are the number of the
    largest size with either sign, 255 is what is not finite.
    """

    rows: int
    columns: int
    cells: str


@dataclass(frozen=True)
class Expression:
    """What one expression was.

    `spans`: where it stands, and the names that were bound to its value: line from 1, column from 0
    in UTF-16 units, as editors count, and the same of its end. `which`: FIRST or LAST of several
    values is shown, "" for the only one. `known`: a right solution has the value as well.
    `goes_on`: it ran at least `count` times, as later passes were not looked at.
    `number`: from 1, the same for equal values of the program; 0 where a part of it is not known.
    """

    spans: list[Span]
    text: str
    count: int
    which: str
    what: str
    numbers: str
    note: str = ""
    picture: ExpressionPicture | None = None
    number: int = 0
    known: bool = False
    goes_on: bool = False

    @property
    def line(self) -> int:
        return self.spans[0][0]


FIRST, LAST = "first", "last"
_OF_VALUES = ("what", "numbers", "note", "picture", "number")


def share_values(rows: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return expressions as plain data without their values, and the values, each once."""
    values: dict[str, int] = {}
    expressions = []
    for row in rows:
        value = json.dumps({name: row[name] for name in _OF_VALUES})
        rest = {name: item for name, item in row.items() if name not in _OF_VALUES}
        expressions.append({**rest, "value": values.setdefault(value, len(values))})
    return {"values": [json.loads(value) for value in values], "expressions": expressions}


def read_expressions(stored: dict[str, Any]) -> tuple[Expression, ...]:
    """Return what `share_values` gave; raises KeyError, IndexError or TypeError for others."""
    return tuple(_read(row, stored["values"][row["value"]]) for row in stored["expressions"])


def _read(row: dict[str, Any], value: dict[str, Any]) -> Expression:
    plain = {name: item for name, item in row.items() if name != "value"} | value
    picture = value["picture"]
    plain["picture"] = ExpressionPicture(**picture) if picture else None
    plain["spans"] = [tuple(span) for span in row["spans"]]
    return Expression(**plain)


def fit_expressions(rows: Sequence[Expression], most: int) -> tuple[tuple[Expression, ...], bool]:
    """Return the expressions that fit into so many bytes when stored, and whether all do.

    Where values are too many, the later ones have no numbers and say so.
    """
    plain = share_values(map(asdict, rows))
    places = [row["value"] for row in plain["expressions"]]
    count, met = 0, set[int]()
    for row in plain["expressions"]:  # what each needs without its numbers
        most -= len(json.dumps(row)) + 2 + (0 if row["value"] in met else _WORDS)
        if most < 0:
            break
        met.add(row["value"])
        count += 1
    fits: dict[int, bool] = {}
    for place in dict.fromkeys(places[:count]):
        more = len(json.dumps(plain["values"][place])) + 2 - _WORDS
        fits[place] = more <= max(most, 0)
        most -= more if fits[place] and more > 0 else 0
    fitting = [
        row if fits[place] else replace(row, numbers="", note=FULL, picture=None)
        for row, place in zip(rows[:count], places, strict=False)
    ]
    return tuple(fitting), count == len(rows)


_WORDS = 170  # bytes of a value without numbers


@dataclass(frozen=True)
class PlaceValue:
    """A value in words, numbers and cells, as of an Expression."""

    what: str
    numbers: str
    note: str
    picture: ExpressionPicture | None

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> PlaceValue:
        """Return what was stored; raises TypeError or KeyError for anything else."""
        picture = stored["picture"]
        return cls(**{**stored, "picture": ExpressionPicture(**picture) if picture else None})


@dataclass(frozen=True)
class Difference:
    """Where the values of a wrong program leave those of right solutions, as editors count.

    `text`: the first expression whose value no right solution has; `part`: the last of its parts
    that they have, and `part_line` where that stands. `yours`: its value, and `right`: what the
    reference computes of the same values, on one scale of colours; None where that is not known.
    `in_turn`: it or the part had several values, one after another.
    """

    span: Span
    text: str
    part: str
    part_line: int
    yours: PlaceValue
    right: PlaceValue | None = None
    in_turn: bool = False

    @property
    def line(self) -> int:
        return self.span[0]

    @property
    def sentence(self) -> str:
        return sentences.first_difference(
            self.text, self.line, self.part, self.part_line, in_turn=self.in_turn
        )

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Difference:
        """Return what was stored; raises TypeError or KeyError for anything else."""
        right = stored["right"]
        return cls(
            **{
                **stored,
                "span": tuple(stored["span"]),
                "yours": PlaceValue.from_json(stored["yours"]),
                "right": PlaceValue.from_json(right) if right else None,
            }
        )


def show_difference(first: FirstDifference, lines: Sequence[str]) -> Difference:
    """Return a place as a page shows it."""
    values = [value for value in (first.value, first.right) if value is not None]
    limit = max(map(_largest, values))
    yours, *right = (_show_value(value, limit) for value in values)
    return Difference(
        span=_as_editors_count(first.place, lines),
        text=_source_of(first.place, lines),
        part=_source_of(first.part, lines),
        part_line=first.part[0],
        yours=yours,
        right=right[0] if right else None,
        in_turn=first.in_turn,
    )


def _show_value(value: RecordedValue, limit: float) -> PlaceValue:
    return PlaceValue(_what(value), _numbers(value), _note(value), _picture(value, limit))


def show_expressions(
    expressions: Iterable[RecordedExpression], lines: Sequence[str], known: KnownValues | None
) -> list[Expression]:
    """Return those of whose values something can be said, by where they stand."""
    numbers: dict[Hashable, int] = {}
    shown = []
    for expression in expressions:
        is_known = known is not None and known.has(expression)
        value, which = _shown_value(expression)
        if value.kind == "silent":
            continue
        same = _same(value)
        number = 0 if same is None else numbers.setdefault(same, len(numbers) + 1)
        row = _show(expression, value, lines)
        shown.append(replace(row, which=which, number=number, known=is_known))
    return sorted(shown, key=lambda item: (*item.spans[0][:2], -item.count))


def _shown_value(expression: RecordedExpression) -> tuple[RecordedValue, str]:
    if expression.count == 1 and not expression.goes_on:
        return expression.values[0], ""
    if expression.has_last:
        return expression.values[-1], LAST
    return expression.values[0], FIRST


def _same(value: RecordedValue) -> Hashable | None:
    """Return what only equal values have; None where a part of the value was not recorded."""
    if value.kind in ("array", "tensor"):
        if value.numbers is None or not value.is_whole:
            return None
        return value.kind, value.dtype, value.shape, value.numbers.tobytes()
    is_cut = value.kind in ("list", "text") and ("..." in value.text or "…" in value.text)
    return None if is_cut or value.text.endswith(" items") else (value.kind, value.type, value.text)


def _show(expression: RecordedExpression, value: RecordedValue, lines: Sequence[str]) -> Expression:
    return Expression(
        spans=[_as_editors_count(span, lines) for span in expression.spans],
        text=_source_of(expression.spans[0], lines),
        count=expression.count,
        which="",
        goes_on=expression.goes_on,
        what=_what(value),
        numbers=_numbers(value),
        note=_note(value),
        picture=_picture(value),
    )


def _what(value: RecordedValue) -> str:
    if value.kind in ("array", "tensor"):
        article = "an array" if value.kind == "array" else "a tensor"
        return f"{article} of shape {value.shape}, {plain_dtype(value.dtype)}"
    names = {"number": "a number", "none": "None", "text": "text", "list": f"a {value.type}"}
    if value.kind == "number" and value.type:
        return f"a number, {value.type}"
    return names.get(value.kind, f"an object of class {value.type}")


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


def _picture(value: RecordedValue, limit: float | None = None) -> ExpressionPicture | None:
    """Return the first cells as colours; `limit`: the largest size of its scale, else its own."""
    cells = _cells(value)
    if cells is None:
        return None
    finite = np.isfinite(cells)
    return ExpressionPicture(
        rows=int(cells.shape[0]),
        columns=int(cells.shape[1]),
        cells=_levels(cells, finite, _largest(value) if limit is None else limit),
    )


def _cells(value: RecordedValue) -> Array | None:
    """Return the first rows and columns of the first matrix; None where there is no picture."""
    numbers = value.numbers
    if numbers is None or numbers.size < 2 or numbers.dtype.kind not in "fiub":
        return None
    matrix = np.atleast_2d(numbers)
    matrix = matrix[(0,) * (matrix.ndim - 2)]
    cells: Array = matrix[:SIDE, : SIDE if numbers.ndim > 1 else 2 * SIDE].astype(np.float64)
    return cells


def _largest(value: RecordedValue) -> float:
    cells = _cells(value)
    return 0.0 if cells is None else float(np.abs(cells[np.isfinite(cells)]).max(initial=0.0))


def _levels(cells: Array, finite: Array, limit: float) -> str:
    half = LEVELS / 2
    with np.errstate(all="ignore"):
        scaled = np.where(finite, cells, 0.0) / (limit or 1.0)
    levels = np.clip(np.rint(half + half * scaled), 0, LEVELS).astype(np.uint8)
    return base64.b64encode(np.where(finite, levels, np.uint8(255)).tobytes()).decode()


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
