"""Reading what a run says of the values of its expressions.

The frames come from the process of the code, which can write any frame at all. What it says is of
itself, so a lie harms nobody; but nothing may come out that breaks who shows it. Every number and
text is bounded here, spans lie within the code, arrays have the dtype and shape that is claimed.
Any defect is a BadFrame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Run
from quizzes.grader.protocol.observation import Observed
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean_line
from quizzes.grader.protocol.wire import Array, BadFrame, Frame, is_carried_in

RECORDED = "recorded"
KINDS = ("array", "tensor", "number", "none", "text", "list", "object", "silent")
MOST_EXPRESSIONS, MOST_SPANS, MOST_VALUES = 400, 4, 64
MOST_BYTES = 2 << 20  # of all arrays together
MOST_DIMENSIONS, MOST_TEXT, MOST_WORD = 8, 200, 60
_MOST = 1 << 53

Span = tuple[int, int, int, int]  # line from 1, bytes into it, end line, bytes into that


@dataclass(frozen=True, eq=False)
class RecordedValue:
    """One value of an expression. `numbers`: all of a small array, the first of a large one.

    `text`: of what is no array, as Python writes it. `least`, `most`, `odd`: of all numbers of a
    large array: between which finite ones they lie, and how many are NaN or infinite.
    """

    kind: str
    type: str = ""
    dtype: str = ""
    shape: tuple[int, ...] = ()
    text: str = ""
    numbers: Array | None = None
    least: float | None = None
    most: float | None = None
    odd: int | None = None

    @property
    def is_whole(self) -> bool:
        return self.numbers is not None and self.numbers.shape == self.shape


@dataclass(frozen=True, eq=False)
class RecordedExpression:
    """An expression, where it stands, how often it ran, and its first values.

    `has_last`: the last of `values` is the last that it had. `goes_on`: it may have run more often
    than `count` says, which was not looked at.
    """

    spans: tuple[Span, ...]
    count: int
    values: tuple[RecordedValue, ...]
    has_last: bool
    goes_on: bool = False


@dataclass(frozen=True, eq=False)
class Recording:
    """What the expressions of a program were; `is_cut`: it has more than are recorded."""

    expressions: tuple[RecordedExpression, ...] = ()
    is_cut: bool = False


def read_recording(run: Run, case: Case, source: str) -> tuple[Observed, Recording]:
    """Return what the case gave, and what the expressions of the code were.

    Recorded frames stand together, right before the last one. A defect makes the ending GARBLED.
    A run that was stopped says what was recorded until then after it has said where it was: it is
    stopped already, so a defect there costs the recording alone. Nothing is returned of the
    expressions of a run that ended in another way.
    """
    if run.in_time is not None:
        return read_run(_without_recorded(run), (case,)), _read_late(run, source)
    if run.ending is not Ending.FINISHED:
        return read_run(_without_recorded(run), (case,)), Recording()
    frames, recorded = _part(run.frames)
    observed = read_run(replace(run, frames=frames), (case,))
    if observed.ending is not Ending.FINISHED:
        return observed, Recording()
    try:
        return observed, _read(recorded, source)
    except BadFrame as error:
        return replace(observed, ending=Ending.GARBLED, detail=str(error)), Recording()


def _read_late(run: Run, source: str) -> Recording:
    """Return what was recorded until a run was stopped; nothing where that is not right."""
    late = run.frames[run.in_time :]
    kinds = [frame.header.get("kind") for frame in late]
    start = kinds.index("stopped") + 1 if "stopped" in kinds else len(late)
    recorded = list(takewhile(_is_recorded, late[start:]))
    try:
        return _read(recorded, source) if recorded else Recording()
    except BadFrame:
        return Recording()


def _without_recorded(run: Run) -> Run:
    """Return a run that was stopped, perhaps while it sent what was recorded, without that."""
    in_time = run.in_time
    if in_time is not None:
        in_time -= sum(map(_is_recorded, run.frames[:in_time]))
    frames = tuple(frame for frame in run.frames if not _is_recorded(frame))
    return replace(run, frames=frames, in_time=in_time)


def _part(frames: Sequence[Frame]) -> tuple[tuple[Frame, ...], tuple[Frame, ...]]:
    """Return the frames without the recorded ones right before the last, and these."""
    start = end = max(len(frames) - 1, 0)
    while start > 0 and _is_recorded(frames[start - 1]):
        start -= 1
    return (*frames[:start], *frames[end:]), tuple(frames[start:end])


def _is_recorded(frame: Frame) -> bool:
    return frame.header.get("kind") == RECORDED


def _read(frames: Sequence[Frame], source: str) -> Recording:
    if not frames:
        raise BadFrame("nothing was recorded")
    size = sum(array.nbytes for frame in frames for array in frame.arrays.values())
    if size > MOST_BYTES:
        raise BadFrame("more numbers were recorded than are taken")
    widths = [len(line.encode()) for line in source.split("\n")]
    expressions = [item for frame in frames for item in _expressions(frame, widths)]
    if len(expressions) > MOST_EXPRESSIONS:
        raise BadFrame("more expressions were recorded than are taken")
    return Recording(tuple(expressions), any(frame.header.get("cut") is True for frame in frames))


def _expressions(frame: Frame, widths: Sequence[int]) -> Iterator[RecordedExpression]:
    for entry in _list_of(frame.header, "records", MOST_EXPRESSIONS):
        if type(entry) is not dict:
            raise BadFrame("an expression is not an object")
        values = _list_of(entry, "values", MOST_VALUES)
        spans = _list_of(entry, "spans", MOST_SPANS)
        count = _whole(entry.get("count"))
        if not spans or not 0 < len(values) <= count:
            raise BadFrame("an expression without values")
        yield RecordedExpression(
            spans=tuple(_span(item, widths) for item in spans),
            count=count,
            values=tuple(_value(item, frame.arrays) for item in values),
            has_last=entry.get("last") is True,
            goes_on=entry.get("more") is True,
        )


def _span(plain: object, widths: Sequence[int]) -> Span:
    if type(plain) is not list or len(plain) != 4:
        raise BadFrame("an expression stands nowhere")
    line, start, end_line, end = map(_whole, plain)
    if not 1 <= line <= end_line <= len(widths) or (line, start) >= (end_line, end):
        raise BadFrame("an expression stands outside of the code")
    if start > widths[line - 1] or end > widths[end_line - 1]:
        raise BadFrame("an expression stands outside of its line")
    return line, start, end_line, end


def _value(plain: object, arrays: Mapping[str, Array]) -> RecordedValue:
    if type(plain) is not dict or plain.get("kind") not in KINDS:
        raise BadFrame("a value of no known kind")
    shape = tuple(map(_whole, _list_of(plain, "shape", MOST_DIMENSIONS)))
    kind, dtype, numbers = plain["kind"], _text(plain, "dtype", MOST_WORD), None
    if plain.get("array") is not None:
        name = plain["array"]
        numbers = arrays.get(name) if type(name) is str else None
        if numbers is None or kind not in ("array", "tensor"):
            raise BadFrame("a value and its numbers disagree")
        if not is_carried_in(dtype, numbers.dtype) or not _is_part(numbers.shape, shape):
            raise BadFrame("a value has other numbers than it claims")
    return RecordedValue(
        kind=kind,
        type=_text(plain, "type", MOST_WORD),
        dtype=dtype,
        shape=shape,
        text=_text(plain, "text", MOST_TEXT),
        numbers=numbers,
        least=_number(plain.get("least")),
        most=_number(plain.get("most")),
        odd=None if plain.get("odd") is None else _whole(plain["odd"]),
    )


def _is_part(part: Sequence[int], whole: Sequence[int]) -> bool:
    same_axes = len(part) == len(whole)
    return same_axes and all(some <= all_ for some, all_ in zip(part, whole, strict=True))


def _list_of(plain: Mapping[str, Any], name: str, most: int) -> list[Any]:
    value = plain.get(name, [])
    if type(value) is not list or len(value) > most:
        raise BadFrame(f"{name} is no list of at most {most}")
    return value


def _text(plain: Mapping[str, Any], name: str, most: int) -> str:
    value = plain.get(name, "")
    if type(value) is not str:
        raise BadFrame(f"{name} is not text")
    return clean_line(value, most)


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value < _MOST:
        raise BadFrame("not a whole number from 0 on")
    return value


def _number(value: object) -> float | None:
    if value is None:
        return None
    if type(value) is not float or not math.isfinite(value):
        raise BadFrame("not a finite number")
    return value
