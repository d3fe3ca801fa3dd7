"""What a program of an author prints that stands by itself, such as a listing.

It runs in the sandbox that its readers have, as the main program of a file of its own.
"""

from __future__ import annotations

from quizzes.grader.definitions.author_program import refuse_broken
from quizzes.grader.errors import AuthorError
from quizzes.grader.judge.case_pack import EntryPoint
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.programs.runner import ENTRY, program_job
from quizzes.grader.protocol.job import Limits, Sandbox
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean_line


def printed_by(source: str, sandbox: Sandbox, *, path: str, wall_seconds: float = 10.0) -> str:
    """Return the output of a program, warnings included.

    `path` names it in errors, whose lines are the program's. Each run has other random numbers, so
    what a program draws without a seed is not printed twice. Raises AuthorError, SandboxBroken.
    """
    limits = Limits(wall_seconds=wall_seconds)
    job = program_job(source, "", path=path, limits=limits)
    run = sandbox.run(job)
    observed = read_run(run, job.cases)
    if run.ran_out_of_time:
        line = observed.stopped.line if observed.stopped else None
        raise AuthorError(path, line or 1, f"it does not end within {wall_seconds:g} s")
    entry = EntryPoint(ENTRY, "function", "numpy", ("int64",), Tolerance(), limits)
    refuse_broken(observed, job.cases, entry, path=path)
    observation = observed.observations[0]
    failure = observation.failure if observation else None
    if failure is not None:
        words = clean_line(f"{failure.type}: {failure.message}")
        if failure.type == "ModuleNotFoundError":
            words += "; readers have the standard library, NumPy and torch"
        raise AuthorError(path, failure.line or 1, words)
    return run.stdout.decode("utf-8", errors="replace")
