"""What a grading says: verdict, first fault, known mistake, cases. Plain facts, as JSON and back.

An enum for machines, a sentence for people, see `verdict`. `NOT_GRADED` is only ever made by the
caller of the judge: it means that the fault was ours.

What was stored may be anything by now: rows are old, written by other versions, and were once
written with less care. So a report is read back field by field. Each value must have the type that
the dataclass names, or nothing is read at all: half a report would be shown as whole.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from quizzes.grader.judge.messages import is_as_fast
from quizzes.grader.judge.picture import Picture
from quizzes.grader.protocol.sanitize import storable, storable_text
from quizzes.grader.protocol.verdict import Stage, Verdict

__all__ = [
    "CaseResult",
    "KnownMistake",
    "Property",
    "Report",
    "ReportedFinding",
    "Speed",
    "Stage",
    "UnreadableReport",
    "Verdict",
]

SCHEMA = 1
_REQUIRED = (
    "verdict",
    "first_fault",
    "known_mistake",
    "smallest_failing",
    "cases",
    "cases_passed",
    "cases_total",
    "seconds",
    "stdout",
    "traceback",
    "limit",
)
_LATER = ("shrunk", "properties", "speed", "headline", "found_in", "second_mistake", "parsed")
_STEP = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
MAX_TEXT = 200_000  # characters; the longest text of a report has 20 000
MAX_ITEMS = 2_000  # cases of one report
_STORED_NAMES = {"stage": "rung"}  # fields that stored rows know by an older name
T = TypeVar("T")


class UnreadableReport(ValueError):  # noqa: N818
    """What is stored is no report of this version; the message says where it differs."""


@dataclass(frozen=True)
class ReportedFinding:
    """The first stage that failed, in which case (None: before any case), and why."""

    stage: Stage
    case: str | None
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return `{"rung", "case", "message"}`."""
        return with_stored_names(vars(self))


@dataclass(frozen=True)
class KnownMistake:
    """A mistake, or another convention, that the results of a submission show.

    Most are known-wrong variants of the exercise: the submission gave what the variant gives on
    every fingerprint case, or on the parts of results in which it alone shows. The others are built
    in (`built_in_mistakes`). `kind`: "mistake" or "convention". `step`: the "lesson/step" that
    explains it. `breaks`: the requirement of the statement that is not met.
    """

    slug: str
    kind: str
    sentence: str
    step: str | None
    breaks: str


@dataclass(frozen=True)
class CaseResult:
    """One case as the student may see it; texts of a hidden case that passed are empty.

    `before`: the call before it, where the code is wrong only after others.
    """

    label: str
    shown: bool
    passed: bool
    message: str = ""
    call: str = ""
    expected_text: str = ""
    got_text: str = ""
    max_error: float | None = None
    worst_index: tuple[int, ...] | None = None
    tolerance_text: str = ""
    stage: Stage | None = None
    before: str = ""


@dataclass(frozen=True)
class Property:
    """One line of the property card: `title` says what should hold, `measured` what was seen.

    `claimed`: only the code's own process could see it, so it is as the code says of itself.
    """

    name: str
    title: str
    holds: bool
    measured: str
    case: str
    claimed: bool = False


@dataclass(frozen=True)
class Speed:
    """Time of one call on a large input, beside the reference's.

    `allowed_seconds`: from where on it fails; None where time is no part of the verdict.
    """

    call: str
    seconds: float
    reference_seconds: float
    ratio: float
    sentence: str
    allowed_seconds: float | None = None

    @property
    def is_as_fast(self) -> bool:
        """Return whether both times look the same."""
        return is_as_fast(self.ratio)


@dataclass(frozen=True)
class Report:
    """Everything a grading found out. `stdout` holds what the shown cases printed.

    `second_mistake`: made beside `known_mistake`.

    `shrunk`: the smallest failing input was found by trying smaller ones after the failure in the
    case `found_in`, so it is not among `cases`; `first_fault` is of the smaller one too.
    `properties` is empty where no probe looked at any. `seconds`: of the run that is reported, as
    the limit counts them; `all_seconds`: of the clock on the wall, with the runs that timed a call
    again or tried smaller inputs. `ran_out_of_time`: the code was told to stop, which is another
    verdict where it had done all that counts, or went on. `headline`: the verdict in one line for
    people, of the first fault; the verdict's own label where there is no more to say, and in
    reports stored before there were headlines. `parsed`: the code is a program that Python reads.
    `fingerprint`: equal for wrong code that makes the same mistake without a name; else "".
    """

    verdict: Verdict
    first_fault: ReportedFinding | None = None
    known_mistake: KnownMistake | None = None
    second_mistake: KnownMistake | None = None
    smallest_failing: CaseResult | None = None
    cases: tuple[CaseResult, ...] = ()
    cases_passed: int = 0
    cases_total: int = 0
    seconds: float = 0.0
    stdout: str = ""
    traceback: str = ""
    limit: str | None = None
    shrunk: bool = False
    found_in: str = ""
    properties: tuple[Property, ...] = ()
    speed: Speed | None = None
    picture: Picture | None = field(default=None, compare=False)
    all_seconds: float = field(default=0.0, compare=False)
    ran_out_of_time: bool = field(default=False, compare=False)
    headline: str = ""
    parsed: bool = True
    fingerprint: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.headline.strip():
            object.__setattr__(self, "headline", self.verdict.label)

    def as_json(self) -> dict[str, Any]:
        """Return a dict that `json.dumps` takes.

        Not in it: the picture's arrays, `fingerprint`, `all_seconds` and `ran_out_of_time`.

        Every text in it can be stored and shown, wherever it came from.
        """
        plain = {
            "schema": SCHEMA,
            "verdict": self.verdict.value,
            "first_fault": self.first_fault.as_json() if self.first_fault else None,
            "known_mistake": _fields(self.known_mistake) if self.known_mistake else None,
            "smallest_failing": _fields(self.smallest_failing) if self.smallest_failing else None,
            "cases": [_fields(case) for case in self.cases],
            "cases_passed": self.cases_passed,
            "cases_total": self.cases_total,
            "seconds": self.seconds,
            "stdout": self.stdout,
            "traceback": self.traceback,
            "limit": self.limit,
            "shrunk": self.shrunk,
            "properties": [_fields(item) for item in self.properties],
            "speed": _fields(self.speed) if self.speed else None,
            "headline": self.headline,
            "found_in": self.found_in,
            "second_mistake": _fields(self.second_mistake) if self.second_mistake else None,
            "parsed": self.parsed,
        }
        found: dict[str, Any] = storable(plain)
        return found

    @classmethod
    def from_json(cls, data: object) -> Report:
        """Read what `as_json` made; raises UnreadableReport, a ValueError, for anything else.

        Old reports have none of the `_LATER` fields.
        """
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            schema = data.get("schema") if isinstance(data, Mapping) else type(data).__name__
            raise UnreadableReport(f"schema={str(schema)[:40]!r}: expected {SCHEMA}")
        missing = [name for name in _REQUIRED if name not in data]
        if missing:
            raise UnreadableReport(f"{missing[0]}: is missing")
        report = read_fields(
            cls, {name: data[name] for name in (*_REQUIRED, *_LATER) if name in data}
        )
        for mistake in (report.known_mistake, report.second_mistake):
            if mistake and mistake.step and not _STEP.fullmatch(mistake.step):
                raise UnreadableReport(f"step: {mistake.step[:80]!r}: expected lesson/step")
        return report


def _fields(item: KnownMistake | CaseResult | Property | Speed) -> dict[str, Any]:
    """Return the fields of an item, which hold plain values.

    `asdict` would look for more in each, 0.5 ms a report.
    """
    return with_stored_names(vars(item))


def with_stored_names(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain fields under the names that stored rows know; `read_fields` reads them back."""
    return {_STORED_NAMES.get(name, name): value for name, value in plain.items()}


def read_fields(kind: type[T], data: object) -> T:
    """Make an instance of a dataclass from plain values; fields it does not know are left out.

    Raises UnreadableReport.
    """
    if not isinstance(data, Mapping):
        raise UnreadableReport(f"{kind.__name__}: expected fields, got {type(data).__name__}")
    known = _types(cast("Hashable", kind))
    stored = {name: _STORED_NAMES.get(name, name) for name in known}
    values = {
        name: read_value(known[name], data[key], key) for name, key in stored.items() if key in data
    }
    try:
        return kind(**values)
    except TypeError as error:
        raise UnreadableReport(f"{kind.__name__}: a field is missing: {error}") from error


def read_value(expected: Any, value: object, name: str) -> Any:
    """Return a plain value as the type that a field names; raises UnreadableReport."""
    origin, inner = get_origin(expected), get_args(expected)
    if origin in (Union, types.UnionType):
        return None if value is None else read_value(inner[0], value, name)
    if origin is tuple:
        return _read_items(inner[0], value, name)
    if expected in _READERS:
        read, word = _READERS[expected]
        found = read(value)
        if found is None:
            raise UnreadableReport(f"{name}: expected {word}, got {type(value).__name__}")
        return found
    if isinstance(expected, type) and issubclass(expected, Enum):
        return _read_word(expected, value, name)
    return read_fields(expected, value)


@cache
def _types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {item.name: hints[item.name] for item in fields(kind)}


def _read_items(expected: Any, value: object, name: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)) or len(value) > MAX_ITEMS:
        raise UnreadableReport(f"{name}: expected a list of at most {MAX_ITEMS} items")
    return tuple(read_value(expected, item, name) for item in value)


def _read_word(expected: type[Enum], value: object, name: str) -> Enum:
    try:
        return expected(value)
    except ValueError as error:
        raise UnreadableReport(f"{name}: {str(value)[:80]!r} is no {expected.__name__}") from error


def _text(value: object) -> str | None:
    known = isinstance(value, str) and len(value) <= MAX_TEXT
    return storable_text(str(value)) if known else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if abs(value) < 2**63 else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if abs(value) <= sys.float_info.max else None  # a whole number may be more


_READERS: dict[Any, tuple[Callable[[object], Any], str]] = {
    str: (_text, f"text of at most {MAX_TEXT} characters"),
    bool: (_flag, "true or false"),
    int: (_whole, "a whole number"),
    float: (_number, "a finite number"),
}
