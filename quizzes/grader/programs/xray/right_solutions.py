"""Right solutions on the case of an X-ray, in the author's sandbox.

The reference comes first. Nothing is compared where it comes to no good end; another right solution
that does not, or gives something else on this case, is left out.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from quizzes.grader.errors import MachineTooBusy, SandboxBroken, SandboxUnavailable
from quizzes.grader.judge.case_pack import BIAS, EntryPoint
from quizzes.grader.judge.comparison import agree
from quizzes.grader.judge.row_constants import without_row_constants
from quizzes.grader.programs.xray.known_values import KnownValues
from quizzes.grader.programs.xray.recorded_tree import RecordedProgram
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Sandbox, Task
from quizzes.grader.protocol.observation import Observation, results_of
from quizzes.grader.protocol.recording import (
    RecordedExpression,
    RecordedValue,
    read_recording,
)
from quizzes.grader.protocol.wire import Array

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
    """What right solutions gave on a case, and what their expressions were, the reference first.

    A further solution whose result is not the reference's on this case is not among them.
    """

    observation: Observation
    programs: tuple[RecordedProgram, ...]
    case: Case

    def known_values(self) -> KnownValues:
        """Return which values get a green line."""
        return KnownValues([program.recording for program in self.programs], self.case)

    def results(self) -> list[RecordedExpression]:
        """Return the results of the case, each as an expression that ran once."""
        leaves = results_of(self.observation).values()
        arrays = [(leaf.dtype, leaf.values) for leaf in leaves]
        return [_as_expression(dtype, values) for dtype, values in arrays if values is not None]


class RightSolutions:
    """Right solutions of an exercise, the reference first. `seconds`: what they took until now.

    `busy`: without the seconds that they waited for a processor.
    """

    def __init__(self, sources: Sequence[str], entry: EntryPoint, author: Sandbox) -> None:
        self._sources = sources
        self._entry = entry
        self._author = author
        self.seconds = 0.0
        self.busy = 0.0

    def run(self, case: Case) -> RightRun | None:
        """Run all on a case; None where the reference fails. Raises MachineTooBusy."""
        first, *further = self._sources
        reference = self._run(first, case)
        if reference is None:
            return None
        observation, program = reference
        programs = [program]
        for source in further if observation.failure is None else ():
            other = self._run(source, case)
            if other is not None and has_same_values(other[0], observation, self._entry):
                programs.append(other[1])
        return RightRun(observation, tuple(programs), case)

    def _run(self, source: str, case: Case) -> tuple[Observation, RecordedProgram] | None:
        entry = self._entry
        job = record_job(source, case, entry, seed=_SEED, most_values=MOST_VALUES)
        try:
            run = self._author.run(replace(job, below=f"{entry.below}\n{_NOT_EMPTY}"))
        except MachineTooBusy:
            raise
        except (OSError, SandboxBroken, SandboxUnavailable):
            logger.exception("no right solution runs for an X-ray")
            return None
        self.busy += run.seconds
        self.seconds += run.seconds + run.waited
        observed, recording = read_recording(run, case, source)
        observation = observed.observations[0]
        if observation is None or (observation.failure is not None and not case.raises):
            return None
        return observation, RecordedProgram(source, recording)


def _as_expression(dtype: str, numbers: Array) -> RecordedExpression:
    value = RecordedValue("array", "ndarray", dtype, numbers.shape, numbers=numbers)
    return RecordedExpression(spans=(), count=1, values=(value,), has_last=True)


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
    """Say whether code returned results of the right kinds whose numbers are not the expected."""
    return _compare(got, expected, entry) is False


def has_same_values(got: Observation, expected: Observation, entry: EntryPoint) -> bool:
    """Say whether code returned the expected results."""
    return _compare(got, expected, entry) is True


def _compare(got: Observation | None, expected: Observation, entry: EntryPoint) -> bool | None:
    """Say whether all numbers are the expected ones; None where they cannot be compared."""
    if got is None or got.failure is not None or expected.failure is not None:
        return None
    if entry.scores == BIAS:
        got = without_row_constants(expected, got, entry.tolerance)
    right, leaves = results_of(expected), results_of(got)
    if right.keys() != leaves.keys():
        return None  # other kinds of results: the verdict says so
    is_same = True
    for key, leaf in right.items():
        values, numbers = leaf.values, leaves[key].values
        if values is None or numbers is None:
            return None
        is_same &= values.shape == numbers.shape and agree(values, numbers, entry.tolerance)
    return is_same
