"""A wrong program and the right one, called with the arguments that a learner typed.

Three processes, each of its own: the typed call is evaluated in the student's sandbox, where no
reference ever is; right and wrong program are then called with what it gave, as data, where
authors' code runs. They are compared as a submission is with the reference.

The smallest witness is the one that the shrinking cases of the exercise have: the wrong program
runs on all cases that are the same in every pack, and of those where it fails the smallest counts.
Before it is called the smallest known, both programs are tried on what was typed made smaller. That
may lie outside of what the task allows, so it never says that there is a smaller one.
The size of a call is how many numbers go in as arrays and come out as the right result.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice, product
from typing import Any

import numpy as np

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.formatting import call_text, observation_texts
from quizzes.grader.judge.messages import describe_leaves, subject
from quizzes.grader.judge.stages import check_case
from quizzes.grader.programs import sentences
from quizzes.grader.programs.typed_call import read_typed_call
from quizzes.grader.protocol.case import PLAIN_CALLS, Case
from quizzes.grader.protocol.job import Ending, Job, Limits, Sandbox
from quizzes.grader.protocol.observation import Observation, results_of
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean, clean_line, storable
from quizzes.grader.protocol.wire import Array

MAX_TEXT = 4_000
MOST_TIMES = 2  # the time of one process, of all processes of a try together
MOST_SMALLER, MOST_STEPS = 64, 8  # calls that are tried, and values of each number
WITNESS, SAME, REFUSED = "witness", "same", "refused"
SMALLEST, NOT_SMALLEST, BELOW_ALL, UNKNOWN = "smallest", "not_smallest", "below_all", ""
_SEED = 1  # the same for both programs: what they draw is the same


@dataclass(frozen=True)
class Counterexample:
    """What came of typed arguments; every text is clean and bounded.

    `state`: WITNESS, SAME (both return the same) or REFUSED, with a `problem` in a sentence.
    `size`: how a witness compares with the smallest known one. `is_filled`: the numbers that a
    module learns were set before the call.
    """

    state: str
    call: str = ""
    problem: str = ""
    expected_text: str = ""
    got_text: str = ""
    size: str = UNKNOWN
    is_filled: bool = False
    seconds: float = 0.0

    picture = None  # which a Run may have
    ran_out_of_time = False  # it is not tried again in the slow lane: smaller arguments are wanted

    def as_json(self) -> dict[str, Any]:
        """Return what is stored: plain data, ready for any database."""
        plain: dict[str, Any] = storable(asdict(self))
        return plain

    @classmethod
    def from_json(cls, stored: object) -> Counterexample:
        """Return what `as_json` stored; raises ValueError for anything else."""
        if not isinstance(stored, dict) or stored.get("state") not in (WITNESS, SAME, REFUSED):
            raise ValueError("not what came of typed arguments")
        try:
            return cls(**stored)
        except TypeError as error:
            raise ValueError(f"not what came of typed arguments: {error}") from error


def try_arguments(
    typed: str,
    *,
    wrong: str,
    reference: str,
    pack: CasePack,
    student: Sandbox,
    author: Sandbox,
    limits: Limits,
) -> Counterexample:
    """Say whether the wrong program fails for a typed call.

    Raises SandboxBroken, MachineTooBusy. `limits`: of each of the processes, of which all together
    have the time of two: others wait for the worker meanwhile.
    """
    pack = replace(pack, entry=replace(pack.entry, limits=limits))
    read = read_typed_call(typed, wrong, pack.entry, student, limits=limits)
    if read.case is None:
        return Counterexample(REFUSED, problem=read.problem, seconds=read.seconds)
    case = replace(read.case, fill=pack.entry.kind == "module" and _is_filled(pack))
    most = MOST_TIMES * limits.wall_seconds
    programs = Programs(pack, author, seconds=read.seconds, most_seconds=most)
    call = clean(call_text(pack.entry, case), MAX_TEXT)
    result = _compare(case, call, wrong, reference, programs)
    return replace(result, call=call, is_filled=case.fill, seconds=programs.seconds)


@dataclass
class Programs:
    """Runs of authors' programs, and how many seconds all runs took together, of so many.

    `is_over`: the last run found none of them left, or used them up.
    """

    pack: CasePack
    sandbox: Sandbox
    seconds: float = 0.0
    most_seconds: float = math.inf
    is_over: bool = False

    def observe(self, source: str, cases: tuple[Case, ...]) -> tuple[Observation, ...] | None:
        """Return what a program gives on each case, None where it came to no good end in time."""
        entry, left = self.pack.entry, self.most_seconds - self.seconds
        if left <= 0:
            self.is_over = True
            return None
        # The same limits where there is time: spare children wait for them.
        limits = replace(entry.limits, wall_seconds=min(entry.limits.wall_seconds, left))
        job = Job(source, entry.name, cases, entry.library, _SEED, limits, below=entry.below)
        run = self.sandbox.run(job)
        self.seconds += run.seconds  # its own: a busy machine takes nothing from what is said
        is_cut_short = run.ran_out_of_time and left < entry.limits.wall_seconds
        self.is_over = is_cut_short or self.seconds >= self.most_seconds
        observed = read_run(run, cases)
        got = tuple(item for item in observed.observations if item is not None)
        is_whole = observed.ending is Ending.FINISHED and len(got) == len(cases)
        return got if is_whole else None

    def observe_one(self, source: str, case: Case) -> Observation:
        """Return what a program gives on one case; raises _RefusedError at a limit."""
        observed = self.observe(source, (case,))
        if observed is None and self.is_over:
            raise _RefusedError(sentences.together_need_much(self.most_seconds))
        if observed is None or (observed[0].failure is not None and observed[0].failure.memory):
            raise _RefusedError(sentences.needs_much(self.pack.entry.limits.wall_seconds))
        return observed[0]


class _RefusedError(Exception):
    """Nothing can be said of these arguments; `str()` is the sentence."""


def _compare(
    case: Case, call: str, wrong: str, reference: str, programs: Programs
) -> Counterexample:
    pack = programs.pack
    try:
        expected = _expected(case, reference, programs)
        got = programs.observe_one(wrong, case)
    except _RefusedError as error:
        return Counterexample(REFUSED, problem=str(error))
    finding = check_case(expected, got, pack.entry, lambda: call)
    if finding is None:
        results = describe_leaves(results_of(expected))
        return Counterexample(SAME, expected_text=clean(results, MAX_TEXT))
    tolerance = finding.tolerance or pack.entry.tolerance
    texts = observation_texts(expected, got, finding, tolerance)
    parts, key = results_of(expected), finding.key
    start = f"{subject(key)}:\n" if key in parts and len(parts) > 1 else ""  # only that is shown
    expected_text, got_text = (clean(start + text, MAX_TEXT) for text in texts)
    size = _compare_size(_size(case, expected), _smallest(wrong, programs))
    if size == SMALLEST and _may_be_smaller(case, expected, wrong, reference, programs):
        size = UNKNOWN
    return Counterexample(WITNESS, expected_text=expected_text, got_text=got_text, size=size)


def _expected(case: Case, reference: str, programs: Programs) -> Observation:
    """Return the reference's result; raises _RefusedError where it has none that is numbers."""
    expected = programs.observe_one(reference, case)
    if expected.failure is not None:
        kind, message = expected.failure.type, clean_line(expected.failure.message, 200)
        asks_for_errors = any(known.raises for known in programs.pack.cases)
        refuses = kind == "ValueError" and _is_raised_at(expected.failure.line, reference)
        if refuses and message and not asks_for_errors:
            raise _RefusedError(sentences.no_such_call(message.rstrip(".")))
        raise _RefusedError(sentences.outside_the_task(kind, message.rstrip(".")))
    results = results_of(expected)
    values = [leaf.values for leaf in results.values()]
    if not values or any(numbers is None for numbers in values):
        raise _RefusedError(sentences.NOT_COMPARED)
    if any(_has_nan(numbers) for numbers in values if numbers is not None):
        raise _RefusedError(sentences.RETURNS_NAN)
    return expected


def _is_raised_at(line: int | None, code: str) -> bool:
    """Say whether the author wrote `raise` in this line; NumPy's own errors come from others."""
    return line is not None and any(
        isinstance(node, ast.Raise) and node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(code))
    )


def _may_be_smaller(
    case: Case, expected: Observation, wrong: str, reference: str, programs: Programs
) -> bool:
    """Say whether the wrong program may fail for a call with smaller arguments of the same kinds.

    The cases of an exercise need not have the smallest, such as a single column. True also where a
    program came to no end.
    """
    cases = tuple(islice(_smaller_cases(case), MOST_SMALLER))
    if not cases:
        return False
    right, got = programs.observe(reference, cases), programs.observe(wrong, cases)
    if right is None or got is None:
        return True
    own = _size(case, expected)
    return any(
        _is_of_numbers(want)
        and _size(smaller, want) < own
        and check_case(want, seen, programs.pack.entry, lambda: "") is not None
        for smaller, want, seen in zip(cases, right, got, strict=True)
    )


def _smaller_cases(case: Case) -> Iterator[Case]:
    """Yield the call with arrays that are shorter by one, and with smaller whole numbers."""
    for name, value in case.kwargs.items():
        if isinstance(value, np.ndarray):
            for axis in range(value.ndim):
                if value.shape[axis] > 1:
                    shorter = np.delete(value, -1, axis=axis)
                    yield replace(case, kwargs={**case.kwargs, name: shorter})
    numbers = {name: value for name, value in case.kwargs.items() if type(value) is int}
    for values in product(*(range(1, min(value, MOST_STEPS) + 1) for value in numbers.values())):
        smaller = dict(zip(numbers, values, strict=True))
        if smaller != numbers and all(value > 0 for value in numbers.values()):
            yield replace(case, kwargs={**case.kwargs, **smaller})


def _is_of_numbers(observation: Observation) -> bool:
    values = [leaf.values for leaf in results_of(observation).values()]
    whole = [numbers for numbers in values if numbers is not None]
    return bool(values) and len(whole) == len(values) and not any(map(_has_nan, whole))


def _has_nan(numbers: Array) -> bool:
    return bool(np.isnan(numbers).any())


def _compare_size(own: int, smallest: int | None) -> str:
    if smallest is None:
        return UNKNOWN
    return SMALLEST if own == smallest else NOT_SMALLEST if own > smallest else BELOW_ALL


def _smallest(wrong: str, programs: Programs) -> int | None:
    """Return the size of the smallest case where the wrong program fails; None where none does."""
    return min((size for _, size in find_witnesses(wrong, programs)), default=None)


def find_witnesses(wrong: str, programs: Programs) -> Iterator[tuple[Case, int]]:
    """Yield the cases on which a wrong program fails, each with its size.

    Of the cases that are calls as they are typed, of a module in eval mode, and that are the same
    in every pack.
    """
    pack = programs.pack
    places = [place for place in range(len(pack.cases)) if _may_be_witness(pack, place)]
    kept = pack.keep([place in places for place in range(len(pack.cases))])
    got = programs.observe(wrong, kept.cases)
    for case, expected, seen in zip(kept.cases, kept.expected, got or (), strict=False):
        if check_case(expected, seen, pack.entry, lambda: "") is not None:
            yield case, _size(case, expected)


def _may_be_witness(pack: CasePack, place: int) -> bool:
    case, expected = pack.cases[place], pack.expected[place]
    is_plain = case.probe == PLAIN_CALLS[pack.entry.kind]
    returns = is_plain and not case.raises and expected.failure is None
    return returns and not pack.is_drawn(place)


def _is_filled(pack: CasePack) -> bool:
    plain = PLAIN_CALLS[pack.entry.kind]
    return any(case.fill for case in pack.cases if case.probe == plain)


def _size(case: Case, expected: Observation) -> int:
    """Count the numbers that go in as arrays, and those that come out."""
    going_in = sum(item.size for item in case.kwargs.values() if isinstance(item, np.ndarray))
    leaves = results_of(expected).values()
    return int(going_in) + sum(int(np.prod(leaf.shape, dtype=np.int64)) for leaf in leaves)
