"""What a grading says: verdict, first fault, known mistake, cases. Plain facts, as JSON and back.

An enum for machines, a sentence for people, see `verdict`. `NOT_GRADED` is only ever made by the
caller of the judge: it means that the fault was ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from quizzes.grader.picture import Picture
from quizzes.grader.report_fields import UnreadableReport, read_fields
from quizzes.grader.storable import storable
from quizzes.grader.verdict import Rung, Verdict

__all__ = [
    "CaseResult",
    "Fault",
    "KnownMistake",
    "Property",
    "Report",
    "Rung",
    "Speed",
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
_LATER = ("shrunk", "properties", "speed")
_STEP = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")


@dataclass(frozen=True)
class Fault:
    """The first rung that failed, in which case (None: before any case), and why."""

    rung: Rung
    case: str | None
    message: str

    def as_json(self) -> dict[str, Any]:
        """`{"rung", "case", "message"}`."""
        return {"rung": self.rung.value, "case": self.case, "message": self.message}


@dataclass(frozen=True)
class KnownMistake:
    """A known-wrong variant whose output the submission gave on every identify case."""

    slug: str
    kind: str
    sentence: str
    step: str | None
    breaks: str


@dataclass(frozen=True)
class CaseResult:
    """One case as the student may see it; texts of a hidden case that passed are empty."""

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
    rung: Rung | None = None


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


@dataclass(frozen=True)
class Report:
    """Everything a grading found out. `stdout` holds what the shown cases printed.

    `shrunk`: the smallest failing input was found by trying smaller ones after the failure, so it
    is not among `cases`. `properties` is empty where no probe looked at any. `seconds`: of the run
    that is told of; `all_seconds`: with the runs that timed a call again or tried smaller inputs.
    """

    verdict: Verdict
    first_fault: Fault | None = None
    known_mistake: KnownMistake | None = None
    smallest_failing: CaseResult | None = None
    cases: tuple[CaseResult, ...] = ()
    cases_passed: int = 0
    cases_total: int = 0
    seconds: float = 0.0
    stdout: str = ""
    traceback: str = ""
    limit: str | None = None
    shrunk: bool = False
    properties: tuple[Property, ...] = ()
    speed: Speed | None = None
    picture: Picture | None = field(default=None, compare=False)
    all_seconds: float = field(default=0.0, compare=False)

    def as_json(self) -> dict[str, Any]:
        """A dict that `json.dumps` takes; not in it: the picture's arrays, `all_seconds`.

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
        }
        found: dict[str, Any] = storable(plain)
        return found

    @classmethod
    def from_json(cls, data: object) -> Report:
        """The report that `as_json` made; raises UnreadableReport, a ValueError, for anything else.

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
        mistake = report.known_mistake
        if mistake and mistake.step and not _STEP.fullmatch(mistake.step):
            raise UnreadableReport(f"step: {mistake.step[:80]!r}: expected lesson/step")
        return report


def _fields(item: KnownMistake | CaseResult | Property | Speed) -> dict[str, Any]:
    """These hold plain values; `asdict` would look for more in each, 0.5 ms a report."""
    return dict(vars(item))
