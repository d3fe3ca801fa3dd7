"""Running an author's generate.py in the author sandbox: seeds in, checked questions out.

Broken or endless code is an AuthorError with its line; nothing of an author runs in this process.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quizzes.assessment.generated import Generated, RefusedError, generated_from
from quizzes.assessment.reading_generator import GENERATOR_FILE
from quizzes.grader.case import Case
from quizzes.grader.case_pack import EntryPoint
from quizzes.grader.cleaning import clean_line
from quizzes.grader.errors import AuthorError
from quizzes.grader.job import Job, Limits, Sandbox
from quizzes.grader.observation import Observed
from quizzes.grader.reading import read_run
from quizzes.grader.run_faults import find_run_fault
from quizzes.grader.tolerance import Tolerance

PRELUDE = Path(__file__).with_name("generator_prelude.py").read_text()
ENTRY = "draw_one_question"
LIMITS = Limits(wall_seconds=10.0)
SEEDS_A_RUN = 12  # of which an endless one spends the whole time limit
MAX_JSON = 1 << 20
MAX_REFUSED_SHARE = 0.75


def generate(
    files: Mapping[str, str], kind: str, seeds: Sequence[int], author: Sandbox
) -> list[Generated]:
    """Return the questions of these seeds. Raises AuthorError, SandboxBroken.

    A seed whose distractors are too close to the key or to each other is left out: draw another.
    """
    found: list[Generated] = []
    refused = ""
    for start in range(0, len(seeds), SEEDS_A_RUN):
        some = seeds[start : start + SEEDS_A_RUN]
        for seed, plain in zip(some, _run(files, some, author), strict=True):
            try:
                found.append(generated_from(plain, kind=kind, seed=seed))
            except RefusedError as error:
                refused = str(error)
            except ValueError as error:
                raise AuthorError(GENERATOR_FILE, _line(files), f"seed {seed}: {error}") from error
    if len(found) < (1 - MAX_REFUSED_SHARE) * len(seeds):
        words = f"{len(found)} of {len(seeds)} seeds give a question; the last one refused:"
        raise AuthorError(GENERATOR_FILE, _line(files), f"{words} {refused}")
    return found


def _run(files: Mapping[str, str], seeds: Sequence[int], author: Sandbox) -> list[Any]:
    source = files[GENERATOR_FILE]
    # On one line behind the author's, so that his lines keep their numbers, and under a name of
    # its own, so that an error is told by the last line of his.
    whole = f"{source}\n\nexec(compile({PRELUDE!r}, 'prelude.py', 'exec'))\n"
    known = {name: text for name, text in files.items() if name != GENERATOR_FILE}
    data = np.frombuffer(json.dumps(known).encode(), dtype=np.uint8)
    cases = tuple(Case(f"seed {seed}", {"seed": seed, "files": data}) for seed in seeds)
    job = Job(whole, ENTRY, cases, limits=LIMITS, filename=GENERATOR_FILE)
    observed = read_run(author.run(job), cases)
    _refuse_broken(observed, cases, files)
    return [
        _plain(one, case, files) for one, case in zip(observed.observations, cases, strict=True)
    ]


def _refuse_broken(observed: Observed, cases: Sequence[Case], files: Mapping[str, str]) -> None:
    entry = EntryPoint("generate", "function", "numpy", ("uint8",), Tolerance(), LIMITS)
    broken = find_run_fault(observed, cases, entry)
    if broken is None:
        return
    failure = observed.load_failure or observed.stopped
    line = failure.line if failure and failure.line else _line(files)
    label = "" if broken.place is None else f"{cases[broken.place].label}: "
    raise AuthorError(GENERATOR_FILE, line, clean_line(label + broken.fault.message))


def _plain(observation: Any, case: Case, files: Mapping[str, str]) -> Any:
    """Return what generate() returned for one seed, as plain values."""
    failure = observation.failure
    if failure is not None:
        words = clean_line(f"{case.label}: {failure.type}: {failure.message}")
        raise AuthorError(GENERATOR_FILE, failure.line or _line(files), words)
    leaf = observation.leaves.get("out")
    if leaf is None or leaf.values is None or leaf.values.dtype != np.uint8:
        raise AuthorError(GENERATOR_FILE, _line(files), f"{case.label}: returned no question")
    data = leaf.values.tobytes()
    if len(data) > MAX_JSON:
        words = f"{case.label}: the question has {len(data)} bytes, at most {MAX_JSON} are allowed"
        raise AuthorError(GENERATOR_FILE, _line(files), words)
    return json.loads(data)


def _line(files: Mapping[str, str]) -> int:
    """Return the line of `def generate`."""
    found = re.search(r"^def generate\(", files[GENERATOR_FILE], re.MULTILINE)
    return files[GENERATOR_FILE][: found.start()].count("\n") + 1 if found else 1
