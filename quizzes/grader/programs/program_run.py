"""Running a program and a call, and what came of it in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from quizzes.grader.judge import messages
from quizzes.grader.judge.accidents import hint_for
from quizzes.grader.programs import sentences
from quizzes.grader.programs.output import printed
from quizzes.grader.programs.runner import ENTRY, REFUSED, program_job
from quizzes.grader.programs.shown_value import ShownValue, picture_of, shown_values, text_of
from quizzes.grader.protocol.job import Ending, Limits, Run, Sandbox
from quizzes.grader.protocol.observation import Failure, Observation, Observed
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean, storable

MAX_TRACEBACK = 4_000
RUN_LIMITS = Limits()
_LIMITS = (Ending.OUTPUT_LIMIT, Ending.RESULT_LIMIT, Ending.MEMORY_LIMIT)


@dataclass(frozen=True)
class ProgramRun:
    """What a program printed and gave, or why not; every text is clean and bounded.

    `is_cut`: it printed more. `problem`: a sentence, "" for a program that came to its end, and
    `hint` one that helps with it. `line`: of the learner's code. `picture`: of a `ValuePicture`.
    """

    output: str = ""
    is_cut: bool = False
    problem: str = ""
    hint: str = ""
    line: int | None = None
    traceback: str = ""
    values: tuple[ShownValue, ...] = ()
    picture: bytes | None = None
    seconds: float = 0.0  # of the wall, waiting included
    ran_out_of_time: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what is stored, without the picture: plain data, ready for any database."""
        plain = asdict(self)
        del plain["picture"]
        kept: dict[str, Any] = storable(plain)
        return kept

    @classmethod
    def from_json(cls, stored: object, picture: bytes | None = None) -> ProgramRun:
        """Return what `as_json` stored; raises ValueError for anything else."""
        if not isinstance(stored, dict):
            raise ValueError("not what came of a program")
        try:
            values = tuple(ShownValue(**value) for value in stored["values"])
            return cls(**{**stored, "values": values}, picture=picture)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not what came of a program: {error}") from error


def run_program(
    source: str,
    call: str,
    sandbox: Sandbox,
    *,
    limits: Limits = RUN_LIMITS,
    path: str = "submission.py",
) -> ProgramRun:
    """Run a program and then, where there is one, a call. Raises SandboxBroken, MachineTooBusy."""
    job = program_job(source, call, path=path, limits=limits)
    run = sandbox.run(job)
    observed = read_run(run, job.cases)
    observation = observed.observations[0] or Observation()
    failure = observed.load_failure or observation.failure
    problem = _problem(run, observed, failure, limits)
    leaves = {} if problem else observation.leaves
    if REFUSED in leaves:
        problem = sentences.call_refused(text_of(leaves[REFUSED]))
    stopped = observed.stopped or failure
    picture = picture_of(leaves)
    output, is_cut = printed(run)
    return ProgramRun(
        output=output,
        is_cut=is_cut,
        problem=messages.sentence(problem) if problem else "",
        hint=_hint(failure, source) if failure and observed.ending is Ending.FINISHED else "",
        line=_line(stopped, source),
        traceback=clean(stopped.traceback, MAX_TRACEBACK) if stopped and problem else "",
        values=shown_values(leaves),
        picture=picture.to_bytes() if picture else None,
        seconds=run.seconds + run.waited,
        ran_out_of_time=run.ran_out_of_time,
    )


def _problem(run: Run, observed: Observed, failure: Failure | None, limits: Limits) -> str:
    """Say why the program did not come to its end; "" where it did."""
    if observed.ending is Ending.GARBLED:
        return messages.FORGED
    if run.ran_out_of_time or observed.stopped is not None:
        line = observed.stopped.line if observed.stopped else None
        return messages.out_of_time(observed.seconds, limits, line, among_cases=False)
    if observed.ending in _LIMITS or (failure is not None and failure.memory):
        limit = observed.ending if observed.ending in _LIMITS else Ending.MEMORY_LIMIT
        return messages.limit_message(limit, limits)
    if observed.ending is Ending.DIED:
        return messages.broke_off(observed.death)
    return messages.describe_failure(failure, ENTRY, "") if failure is not None else ""


def _hint(failure: Failure, source: str) -> str:
    return hint_for(failure, source, library="", takes_arrays=False)


def _line(failure: Failure | None, source: str) -> int | None:
    line = failure.line if failure else None
    return line if line and line <= source.count("\n") + 1 else None
