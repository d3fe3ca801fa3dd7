"""What running code on a case gave: results by kind, or a failure.

Expected values, variants' outputs and students' outputs are all observations; rungs, matching and
display work on nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quizzes.grader.case import Case
from quizzes.grader.job import Ending
from quizzes.grader.report import Rung
from quizzes.grader.wire import Array

KINDS = ("array", "tensor", "number", "none", "text", "list", "nested", "object", "random")


@dataclass(frozen=True)
class Failure:
    """An exception of the code, or a name it does not define; texts are not cleaned yet."""

    rung: Rung
    type: str = ""
    message: str = ""
    traceback: str = ""
    line: int | None = None
    memory: bool = False
    time: bool = False
    exit: bool = False
    defined: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Leaf:
    """One result: its kind, and its numbers when they could travel."""

    kind: str
    type: str
    dtype: str = ""
    shape: tuple[int, ...] = ()
    length: int | None = None
    values: Array | None = None


@dataclass(frozen=True, eq=False)
class Observation:
    """What one case gave: leaves by key (`out`, `out.0`, `changed.x`), or a failure."""

    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    failure: Failure | None = None


@dataclass(frozen=True, eq=False)
class Observed:
    """A whole run: None for a case that was not reached. `listed`: what `cases.py` yielded."""

    observations: tuple[Observation | None, ...]
    loaded: bool = False
    load_failure: Failure | None = None
    stopped: Failure | None = None
    ending: Ending = Ending.FINISHED
    detail: str = ""
    listed: tuple[Case, ...] = ()
