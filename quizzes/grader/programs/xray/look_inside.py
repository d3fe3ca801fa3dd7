"""Running a program once more on one case, to see what its expressions were.

The program runs in the student's sandbox, on one case that a learner sees, or on a call that they
type; no other case is there. Right solutions run on the same case in the author's sandbox, and they
are compared here: of them, only a yes or no for each expression leaves, and at most one place.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from quizzes.grader.judge import messages
from quizzes.grader.judge.accidents import hint_for
from quizzes.grader.judge.case_pack import CasePack, EntryPoint
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.run_errors import find_run_error
from quizzes.grader.programs import sentences
from quizzes.grader.programs.typed_call import read_typed_call
from quizzes.grader.programs.xray.expressions import (
    Difference,
    Expression,
    fit_expressions,
    read_expressions,
    share_values,
    show_difference,
    show_expressions,
)
from quizzes.grader.programs.xray.place_search import LONG, PlaceSearch
from quizzes.grader.programs.xray.right_solutions import (
    RightSolutions,
    has_wrong_values,
    record_job,
)
from quizzes.grader.protocol.case import OF_A_BUFFER, RETURNING, Case
from quizzes.grader.protocol.job import Ending, Limits, Run, Sandbox
from quizzes.grader.protocol.observation import Failure, Observed
from quizzes.grader.protocol.read_results import MAX_TEXT
from quizzes.grader.protocol.recording import read_recording
from quizzes.grader.protocol.sanitize import clean, storable

MOST_VALUES = 2  # of an expression
MAX_OUTPUT = 4_000
MOST_STORED = 128 << 10  # bytes of all expressions


@dataclass(frozen=True)
class XRay:
    """What the expressions of a program were on one case; every text is clean and bounded.

    `problem`: why the program did not come to its end, "" where it did; `line`: of the learner's
    code. `compared`: a right solution ran on the same case. `is_cut`: the program has more
    expressions than were recorded. `tests_more`: the test of the case is more than this call.
    `first_difference`: where the values of a wrong program leave those of right ones;
    `waits_for_place`: it was not sought yet. `seconds`: of both sandboxes; `own_seconds`: without
    the right solutions'.
    """

    call: str = ""
    expressions: tuple[Expression, ...] = ()
    problem: str = ""
    hint: str = ""
    line: int | None = None
    traceback: str = ""
    output: str = ""
    compared: bool = False
    is_cut: bool = False
    tests_more: bool = False
    first_difference: Difference | None = None
    waits_for_place: bool = False
    own_seconds: float = 0.0
    seconds: float = 0.0
    ran_out_of_time: bool = False

    picture = None  # which a Run may have

    def as_json(self) -> dict[str, Any]:
        """Return what is stored: plain data, ready for any database."""
        plain = asdict(self)
        stored: dict[str, Any] = storable(plain | share_values(plain["expressions"]))
        return stored

    @classmethod
    def from_json(cls, stored: object) -> XRay:
        """Return what `as_json` stored; raises ValueError for anything else."""
        if not isinstance(stored, dict):
            raise ValueError("not what expressions were")
        try:
            plain = {name: item for name, item in stored.items() if name != "values"}
            difference = plain.get("first_difference")
            plain["first_difference"] = Difference.from_json(difference) if difference else None
            return cls(**{**plain, "expressions": read_expressions(stored)})
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"not what expressions were: {error}") from error


def plain_case(case: Case) -> Case:
    """Return the case as a plain call with its own arguments, and no others.

    The tests of properties change the arguments or what the module holds, or call several times;
    what code was in such a call would stand below the arguments of another. So only the two plain
    probes stay as they are. A test without arguments of a call looks at the module alone: it is
    made, as for the number of its parameters, and not called.
    """
    if case.probe in RETURNING:
        return case
    kwargs = {name: value for name, value in case.kwargs.items() if name not in OF_A_BUFFER}
    if case.init is None:
        return replace(case, probe="call", kwargs=kwargs)
    return replace(case, probe="call_eval" if kwargs else "parameters", kwargs=kwargs)


def shown_cases(cases: Sequence[Case]) -> list[Case]:
    """Return the cases that a learner sees, in the order of the exercise's page."""
    return [case for case in cases if case.shown and case.graded]


def look_inside(
    source: str,
    what: int | str,
    *,
    pack: CasePack,
    student: Sandbox,
    author: Sandbox | None = None,
    right: Sequence[str] = (),
    limits: Limits,
    seeks_place: bool = True,
) -> XRay:
    """Run a program on a shown case, by its number from 0, or on a typed call.

    With an `author` sandbox, it is compared with `right` solutions, the reference first; where that
    breaks, nothing is. For wrong values of a shown case, the place is sought where they leave right
    ones, which takes up to a second; without `seeks_place` it waits for a run that does. Raises
    SandboxBroken, MachineTooBusy, and IndexError where no shown case has that number.
    """
    entry, seconds = replace(pack.entry, limits=limits), 0.0
    if isinstance(what, str):
        typed = read_typed_call(what, source, entry, student, limits=limits)
        seconds = typed.seconds
        if typed.case is None:
            return XRay(call=what, problem=typed.problem, seconds=seconds, own_seconds=seconds)
        case = replace(typed.case, fill=_is_filled(pack))
    else:
        case = shown_cases(pack.cases)[what]
    plain = plain_case(case)
    tests_more, case = plain is not case and plain.probe in RETURNING, plain
    job = record_job(source, case, entry, seed=secrets.randbits(31), most_values=MOST_VALUES)
    run = student.run(job)
    seconds += run.seconds + run.waited
    own_seconds = seconds
    observed, recording = read_recording(run, case, source)
    lines = source.split("\n")
    run_of_right, difference, waits = None, None, False
    if author is not None and recording.expressions:
        solutions = RightSolutions(right, entry, author)
        run_of_right = solutions.run(case)
        if run_of_right and isinstance(what, int) and run.seconds <= LONG:
            waits = has_wrong_values(observed.observations[0], run_of_right.observation, entry)
            if waits and seeks_place:
                search = PlaceSearch(source, entry, student, solutions, busy=run.seconds)
                first = search.find(run_of_right, other_cases(pack, what))
                difference = show_difference(first, lines) if first else None
                own_seconds += search.seconds
                seconds += search.seconds
        seconds += solutions.seconds
    known = run_of_right.known_values() if run_of_right else None
    shown = show_expressions(recording.expressions, lines, known)
    fitting, are_all = fit_expressions(shown, MOST_STORED)
    result = _describe(run, observed, case, entry, source)
    if not fitting and not result.problem:
        words = sentences.XRAY_TOO_DEEP if recording.is_cut else sentences.XRAY_OF_NOTHING
        result = replace(result, problem=words)
    return replace(
        result,
        expressions=fitting,
        seconds=seconds,
        own_seconds=own_seconds,
        compared=known is not None,
        is_cut=recording.is_cut or not are_all,
        tests_more=tests_more,
        first_difference=difference,
        waits_for_place=waits and not seeks_place,
    )


def other_cases(pack: CasePack, number: int) -> list[Case]:
    """Return the other cases that learners see and whose call returns something as it is."""
    cases = shown_cases(pack.cases)
    others = [case for at, case in enumerate(cases) if at != number and not case.raises]
    return [case for case in others if case.probe in RETURNING]


def _describe(run: Run, observed: Observed, case: Case, entry: EntryPoint, source: str) -> XRay:
    """Return what came of the run, without the expressions."""
    failure = _failure(observed)
    problem = _problem(run, observed, case, entry)
    line = failure.line if failure else None
    return XRay(
        call=clean(call_text(entry, case), MAX_TEXT),
        problem=messages.sentence(problem) if problem else "",
        hint=_hint(failure, source, entry) if observed.ending is Ending.FINISHED else "",
        line=line if line and line <= source.count("\n") + 1 else None,
        traceback=clean(failure.traceback, MAX_TEXT) if failure and problem else "",
        output=clean(run.stdout.decode("utf-8", errors="replace"), MAX_OUTPUT),
        ran_out_of_time=run.ran_out_of_time,
    )


def _failure(observed: Observed) -> Failure | None:
    observation = observed.observations[0]
    of_case = observation.failure if observation else None
    return observed.load_failure or observed.stopped or of_case


def _problem(run: Run, observed: Observed, case: Case, entry: EntryPoint) -> str:
    failure = _failure(observed)
    if observed.ending is not Ending.GARBLED and (run.ran_out_of_time or observed.stopped):
        line = failure.line if failure else None
        return sentences.xray_takes_long(entry.limits.wall_seconds, line)
    located = find_run_error(observed, (case,), entry)
    if located is not None:
        return located.finding.message
    if failure is None:
        return ""
    if failure.memory:
        return messages.limit_message(Ending.MEMORY_LIMIT, entry.limits)
    return messages.describe_failure(failure, entry.name, call_text(entry, case))


def _hint(failure: Failure | None, source: str, entry: EntryPoint) -> str:
    if failure is None:
        return ""
    return hint_for(failure, source, library=entry.library, takes_arrays=False)


def _is_filled(pack: CasePack) -> bool:
    is_module = pack.entry.kind == "module"
    return is_module and any(case.fill for case in pack.cases if case.probe in RETURNING)
