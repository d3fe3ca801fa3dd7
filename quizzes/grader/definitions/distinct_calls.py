"""How many different calls a hidden case may be: as many rows as a table of old answers needs.

Every submission meets a hidden case of its own drawing. Where only 92 calls can be drawn, a program
with 92 rows and no rule passes; from LEAST calls on nobody has seen enough of them.

They are counted as birthdays are: of DRAWINGS drawings, each by itself, some pairs are the same
call. If every call is as likely, one pair in N is, so N is about the pairs by those that are alike.
Where some calls are likelier than others that is fewer than there are, and rightly: a table of the
likely ones passes often. No drawing is stored and no arguments are looked into, so this holds for
any cases.py. At LEAST some 4.5 pairs of 44 850 are alike, so an exercise near it may be told either
way; at a tenth of it 45 are, and at ten times of it hardly ever one.

An array of whole numbers counts by one of them, drawn by chance. A function of such an array mostly
takes each number by itself, and then a row for each number is enough. Arrays of other numbers, and
learned numbers that are drawn, are never the same twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

import numpy as np

from quizzes.grader.definitions.author_program import refuse_broken
from quizzes.grader.definitions.definition import CASES, YAML, ExerciseDefinition
from quizzes.grader.definitions.verification_report import Warned
from quizzes.grader.judge.case_pack import EntryPoint
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.protocol.job import Job, Limits, Sandbox, Task
from quizzes.grader.protocol.read_results import read_listing
from quizzes.grader.protocol.wire import Array

LEAST = 10_000
DRAWINGS = 300
WALL_SECONDS = 10.0
_NAME = "_list_calls"
# Runs behind the author's code, as `author_program` does: the author's lines keep their numbers.
_SOURCE = f"""
def {_NAME}(rng, drawings={DRAWINGS}):
    import hashlib
    import numpy
    from ordinal_exercise import Case

    def key_of(case, rng):
        if case.refills and not (case.identify or case.pair):
            return rng.bytes(8)
        digest = hashlib.sha256()
        for group in (case.init or {{}}, case.kwargs):
            for name, value in group.items():
                value = numpy.asarray(value)
                if value.ndim and value.dtype.kind in "iu" and value.size:
                    value = value.ravel()[rng.integers(value.size)]
                digest.update(repr((name, value.dtype.str, value.shape)).encode())
                digest.update(value.tobytes())
        return digest.digest()[:8]

    calls = {{}}
    for seed in range(drawings):
        for case in cases(numpy.random.default_rng(seed)):
            if case.returns and not case.shown:
                calls.setdefault(case.label, []).append(key_of(case, rng))
    for label, keys in calls.items():
        yield Case(label, {{"keys": numpy.frombuffer(b"".join(keys), dtype="<i8")}})
"""


def few_call_problems(definition: ExerciseDefinition, author: Sandbox) -> Iterator[str]:
    """Yield a problem where no hidden case is drawn from enough calls and no reason is written.

    Raises AuthorError where cases.py breaks off.
    """
    if definition.few_calls:
        return
    counted = count_calls(definition, author)
    label, most = max(counted.items(), key=lambda item: item[1], default=("", 0.0))
    if most < LEAST:
        drawn = f"the most are about {most:,.0f}, in {label!r}" if label else "there are none"
        yield (
            f"{CASES}: a hidden case must be drawn from at least {LEAST:,} different calls, or a "
            f"lookup table passes: {drawn}; draw more, or give a reason under few_calls in {YAML}"
        )


def idle_reasons(definition: ExerciseDefinition, author: Sandbox) -> Iterator[Warned]:
    """Yield a warning where a reason for few calls is written and a case is drawn from many."""
    if definition.few_calls and max(count_calls(definition, author).values(), default=0) >= LEAST:
        what = f"a hidden case is drawn from at least {LEAST:,} different calls"
        yield Warned("case", f"{YAML} has a reason under few_calls, but {what}: remove the reason.")


def count_calls(definition: ExerciseDefinition, author: Sandbox) -> Mapping[str, float]:
    """Estimate how many calls each hidden case with a result is drawn from, by its label.

    Infinite where no two drawings were alike. Raises AuthorError.
    """
    whole = f"{definition.cases}\n\nexec(compile({_SOURCE!r}, 'calls.py', 'exec'))\n"
    limits = Limits(wall_seconds=WALL_SECONDS)
    job = Job(whole, _NAME, limits=limits, filename=CASES, task=Task.LIST_CASES)
    observed = read_listing(author.run(job))
    entry = EntryPoint("cases", "function", "numpy", (), Tolerance(), limits)
    refuse_broken(observed, (), entry, path=CASES)
    return {case.label: estimate(case.kwargs["keys"]) for case in observed.listed}


def estimate(keys: Array) -> float:
    """Estimate of how many keys these are drawn from, by how many pairs of them are the same."""
    _, times = np.unique(keys, return_counts=True)
    alike = int((times * (times - 1)).sum()) // 2
    return keys.size * (keys.size - 1) / 2 / alike if alike else inf
