"""Right solutions on the case of an X-ray, in the author's sandbox.

The reference comes first. Nothing is compared where it comes to no good end; another right solution
that does not is left out.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from quizzes.grader.errors import MachineTooBusy, SandboxBroken, SandboxUnavailable
from quizzes.grader.judge.case_pack import BIAS, EntryPoint
from quizzes.grader.judge.comparison import agree
from quizzes.grader.judge.row_constants import without_row_constants
from quizzes.grader.programs.xray.known_values import KnownValues
from quizzes.grader.programs.xray.value_relations import RightValues
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Sandbox, Task
from quizzes.grader.protocol.observation import Observation, results_of
from quizzes.grader.protocol.recording import Recording, read_recording

logger = logging.getLogger(__name__)

MOST_VALUES = 24  # of an expression
_SEED = 1
# The right solution fills what it leaves empty with a number of its own: what memory happens to
# hold would be the same in both processes, and the same by accident.
_NOT_EMPTY = """
def _fill_what_is_empty():
    import functools, sys
    def filling(make):
        @functools.wraps(make)
        def empty(*args, **kwargs):
            array = make(*args, **kwargs)
            (array.detach().fill_ if hasattr(array, "detach") else array.fill)(93)
            return array
        return empty
    for library in (sys.modules["numpy"], sys.modules.get("torch")):
        for name in ("empty", "empty_like"):
            if library is not None:
                setattr(library, name, filling(getattr(library, name)))
_fill_what_is_empty()
"""


@dataclass(frozen=True)
class RightRun:
    """What right solutions gave on a case, and what their expressions were."""

    observation: Observation
    recordings: tuple[Recording, ...]
    case: Case
    sources: tuple[str, ...]

    def known_values(self) -> KnownValues:
        """Return which values get a green line."""
        return KnownValues(self.recordings, self.case)

    @cached_property
    def values(self) -> RightValues:
        """Return what the values of a wrong program are related to."""
        return RightValues(self.recordings, self.case, self.sources)


class RightSolutions:
    """Right solutions of an exercise, the reference first. `seconds`: what they took until now."""

    def __init__(self, sources: Sequence[str], entry: EntryPoint, author: Sandbox) -> None:
        self._sources = sources
        self._entry = entry
        self._author = author
        self.seconds = 0.0

    def run(self, case: Case) -> RightRun | None:
        """Run all on a case; None where the reference fails. Raises MachineTooBusy."""
        runs = [self._run(source, case) for source in self._sources]
        good = [run for run in runs if run is not None]
        if not runs or runs[0] is None:
            return None
        recordings = tuple(recording for _, recording in good)
        return RightRun(good[0][0], recordings, case, tuple(self._sources))

    def _run(self, source: str, case: Case) -> tuple[Observation, Recording] | None:
        entry = self._entry
        job = record_job(source, case, entry, seed=_SEED, most_values=MOST_VALUES)
        try:
            run = self._author.run(replace(job, below=f"{entry.below}\n{_NOT_EMPTY}"))
        except MachineTooBusy:
            raise
        except (OSError, SandboxBroken, SandboxUnavailable):
            logger.exception("no right solution runs for an X-ray")
            return None
        self.seconds += run.seconds + run.waited
        observed, recording = read_recording(run, case, source)
        observation = observed.observations[0]
        is_right = observation is not None and (observation.failure is None or case.raises)
        return (observation, recording) if observation is not None and is_right else None


def record_job(source: str, case: Case, entry: EntryPoint, *, seed: int, most_values: int) -> Job:
    """Return the job that runs a program on one case and records its expressions."""
    return Job(
        source,
        entry.name,
        (replace(case, shown=True),),
        entry.library,
        seed,
        entry.limits,
        task=Task.RECORD,
        below=entry.below,
        most_values=most_values,
    )


def has_wrong_values(got: Observation | None, expected: Observation, entry: EntryPoint) -> bool:
    """Say whether code returned results whose numbers are not the expected ones."""
    if got is None or got.failure is not None or expected.failure is not None:
        return False
    if entry.scores == BIAS:
        got = without_row_constants(expected, got, entry.tolerance)
    right, leaves = results_of(expected), results_of(got)
    if right.keys() != leaves.keys():
        return False  # other kinds of results: the verdict says so
    for key, leaf in right.items():
        values, numbers = leaf.values, leaves[key].values
        if values is None or numbers is None:
            return False
        if values.shape != numbers.shape or not agree(values, numbers, entry.tolerance):
            return True
    return False
