"""Other programs of authors, such as generate.py: called in the author sandbox, text comes back.

Callers need no job, run or frame: source and arguments go in, the texts that the program's `main`
returned come out, and everything that the author did wrong is an AuthorError with a line of the
author's file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from quizzes.grader.errors import AuthorError
from quizzes.grader.judge.case_pack import EntryPoint
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.judge.run_errors import find_run_error
from quizzes.grader.protocol.case import MAX_LABEL, Case
from quizzes.grader.protocol.job import Job, Limits, Sandbox
from quizzes.grader.protocol.observation import Observation, Observed
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean_line

MAX_BYTES = 1 << 20  # of the text of one call
_MAIN, _CALLER = "main", "_call_main"
# Text crosses the wall as an array of its bytes, as all numbers do. The caller stands on one line
# behind the author's and under a name of its own: the author's lines keep their numbers, and an
# error is told by the last line of the author's.
_SOURCE = f"""
def {_CALLER}(**arguments):
    import numpy
    text = {_MAIN}(**arguments)
    if not isinstance(text, str):
        raise TypeError(f"{_MAIN}() returned a {{type(text).__name__}}, expected text")
    return numpy.frombuffer(text.encode(), dtype=numpy.uint8)
"""


def run_author_program(
    source: str,
    arguments: Sequence[Mapping[str, int | float | str]],
    sandbox: Sandbox,
    *,
    path: str,
    line: int = 1,
    wall_seconds: float = 10.0,
) -> list[str]:
    """Call `main` of an author's program with each of the arguments; return the texts it gave.

    `path`: the author's file. `line`: of it, told with a fault that has no line of its own.
    `wall_seconds`: for all calls together. Raises AuthorError, SandboxBroken.
    """
    cases = tuple(Case(_label(one), one) for one in arguments)
    limits = Limits(wall_seconds=wall_seconds)
    whole = f"{source}\n\nexec(compile({_SOURCE!r}, 'caller.py', 'exec'))\n"
    job = Job(whole, _CALLER, cases, limits=limits, filename=path)
    observed = read_run(sandbox.run(job), cases)
    entry = EntryPoint(_MAIN, "function", "numpy", ("uint8",), Tolerance(), limits)
    refuse_broken(observed, cases, entry, path=path, line=line)
    return [
        _text(one, case.label, path, line)
        for one, case in zip(observed.observations, cases, strict=True)
    ]


def refuse_broken(
    observed: Observed, cases: Sequence[Case], entry: EntryPoint, *, path: str, line: int = 1
) -> None:
    """Raise AuthorError for a run of an author's code that did not load or did not end well.

    `line`: told where nothing says in which line it was.
    """
    broken = find_run_error(observed, cases, entry)
    if broken is None:
        return
    failure = observed.load_failure or observed.stopped
    line = failure.line if failure and failure.line else line
    label = "" if broken.place is None else f"{cases[broken.place].label}: "
    raise AuthorError(path, line, clean_line(label + broken.finding.message))


def _label(arguments: Mapping[str, int | float | str]) -> str:
    """Return the name of this call in messages: `seed 3`."""
    words = ", ".join(f"{name} {value}" for name, value in arguments.items())
    return clean_line(words, MAX_LABEL) or "the call"


def _text(observation: Observation | None, label: str, path: str, line: int) -> str:
    failure = observation.failure if observation else None
    if failure is not None:
        words = clean_line(f"{label}: {failure.type}: {failure.message}")
        raise AuthorError(path, failure.line or line, words)
    leaf = observation.leaves.get("out") if observation else None
    if leaf is None or leaf.values is None or leaf.values.dtype != np.uint8:
        raise AuthorError(path, line, f"{label}: returned no text")
    data = leaf.values.tobytes()
    if len(data) > MAX_BYTES:
        words = f"{label}: returned {len(data)} bytes of text, at most {MAX_BYTES} are allowed"
        raise AuthorError(path, line, words)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise AuthorError(path, line, f"{label}: returned text that is not UTF-8") from error
