"""What running code on a case gave: results by kind, or a failure.

Expected values, variants' outputs and students' outputs are all observations; stages, matching and
display work on nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Death, Ending
from quizzes.grader.protocol.pairs import PairedCall
from quizzes.grader.protocol.verdict import Stage
from quizzes.grader.protocol.wire import Array

# What a probe found out stands in leaves whose names begin so.
FACT, SEEN, GRAD, CHANGED, LOOK = "fact.", "seen.", "grad.", "changed.", "look."
KINDS = ("array", "tensor", "number", "none", "text", "list", "nested", "object", "random")


@dataclass(frozen=True)
class Failure:
    """An exception of the code, or a name it does not define; texts are not cleaned yet.

    `suggestion`: for a name that is not there, the most similar one that is.
    """

    stage: Stage
    type: str = ""
    message: str = ""
    traceback: str = ""
    line: int | None = None
    memory: bool = False
    time: bool = False
    exit: bool = False
    defined: tuple[str, ...] = ()
    suggestion: str = ""


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
    """A whole run: None for a case that was not reached. `listed`: what `cases.py` yielded.

    `paired`: the calls that were asked for of pairs, and what each gave, None when not reached.
    `detail` says what was wrong with its frames; `death` is of a run that died; `seconds` is what
    counted towards the limit. `parsed`: Python could read the code, whatever came of it.
    """

    observations: tuple[Observation | None, ...]
    loaded: bool = False
    load_failure: Failure | None = None
    stopped: Failure | None = None
    ending: Ending = Ending.FINISHED
    detail: str = ""
    death: Death | None = None
    listed: tuple[Case, ...] = ()
    seconds: float = 0.0
    paired: tuple[tuple[PairedCall, Observation | None], ...] = ()
    parsed: bool = True


def value_of(observation: Observation, key: str) -> float | None:
    """Return the single number in a leaf, None when there is none."""
    leaf: Leaf | None = observation.leaves.get(key)
    if leaf is None or leaf.values is None or leaf.values.size != 1:
        return None
    number = float(leaf.values.item().real)  # of an array, .real would be another array
    return number if math.isfinite(number) else None


def measured_by(observation: Observation, name: str) -> float | None:
    """Return the number behind a fact."""
    return value_of(observation, f"{SEEN}{name}")


def results_of(observation: Observation) -> dict[str, Leaf]:
    """Return what the code returned, by key: `out`, or `out.0`, `out.1` ... of several."""
    leaves = observation.leaves.items()
    return {key: leaf for key, leaf in leaves if key == "out" or key.startswith("out.")}


def is_claimed(expected: Observation, name: str) -> bool:
    """Say whether a fact is as the code says of itself: no array shows it that the judge compares.

    The dtype of a result is read off an array that is compared.
    """
    compared = any(key.startswith(LOOK) for key in expected.leaves)
    return name != "dtype_kept" and not compared
