"""Exercises in which time counts: too slow is a verdict, told in numbers, and never by accident."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.exercises.autograder import autograder_report
from quizzes.grader.definitions.ambiguity import find_ambiguities
from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import ExerciseDefinition, read_definition, read_folder
from quizzes.grader.errors import AuthorError
from quizzes.grader.judge.case_pack import CasePack, FingerprintSet
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.judge.timed_results import sample_result
from quizzes.grader.judge.timing import ALWAYS_ALLOWED, TIMED_AGAIN
from quizzes.grader.protocol.job import Ending, Job, Run, Sandbox
from quizzes.grader.protocol.observation import Observation, measured_by
from quizzes.grader.protocol.pairs import calls_of
from quizzes.grader.protocol.read_results import read_run
from tests.grader.conftest import EXERCISE, ROOT
from tests.grader.judge.judged import body
from tests.grader.judge.test_sinusoidal_table import HONEST
from tests.grader.protocol.test_forged_frames import (
    CASES,
    EXPECTED,
    IN_TIME,
    NO,
    PACK,
    assert_storable,
    frames_of,
    number,
    stream_of,
    told_frame,
)

pytestmark = pytest.mark.races

pytestmark = pytest.mark.races

LIES = [1e308, 1e300, 5e-324, 0.0, -1.0, np.nan, np.inf]


def counted(*, at_most: float | None = 20.0, reference: float = 0.01) -> CasePack:
    """One hidden value case and one timed case, whose reference takes 10 ms."""
    pack = PACK.keep([case.label in ("1", "time") for case in CASES])
    result = {"out": pack.expected[0].leaves["out"]}
    timed = Observation({"seen.seconds": number(reference), **result})
    expected = (pack.expected[0], sample_result(timed, 1, ()))
    return replace(pack, expected=expected, entry=replace(pack.entry, speed_at_most=at_most))


class Clock:
    """A sandbox whose code is right and takes, run after run, the next of these times."""

    def __init__(self, *seconds: Any, out: Any = EXPECTED, timed_out: Any = EXPECTED) -> None:
        self.left = list(seconds)
        self.out, self.timed_out = out, timed_out

    def run(self, job: Job) -> Run:
        sent = {}
        for index, case in enumerate(job.cases):
            told = {"out": np.asarray(self.out), "changed.x": NO}
            if case.probe == "time":
                seconds = self.left.pop(0)
                told = {} if seconds is None else {"seen.seconds": np.asarray(seconds)}
                if told and self.timed_out is not None:
                    told["out"] = self.timed_out
            sent[index] = told_frame(index, told)
        return Run(Ending.FINISHED, frames_of(stream_of(job.cases, sent)), b"", 0.5)


def test_too_slow_is_the_stage_time_in_the_students_words() -> None:
    clock = Clock(0.31, 0.4, 0.29)
    report = grade_code(counted(), "", clock)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "speed")
    assert report.first_fault is not None
    assert (report.first_fault.stage, report.first_fault.case) == (Stage.TIME, "time")
    assert report.first_fault.message == (
        "Your code takes 290\u202fms for this call, and at most 200\u202fms is allowed (20 times "
        "the reference's 10\u202fms). If your code loops over elements in Python, work on whole "
        "arrays instead: the reference is about 29 times as fast."
    )
    assert (report.cases_passed, report.cases_total) == (1, 2)
    failing = report.smallest_failing
    assert failing is not None
    assert failing.call == "f(x=np.array([1.0, 1.0]))"
    assert (failing.expected_text, failing.got_text) == ("at most 200\u202fms", "290\u202fms")
    assert report.speed is not None
    assert (report.speed.seconds, report.speed.allowed_seconds) == (0.29, 0.2)
    assert report.known_mistake is None
    assert (report.seconds, report.all_seconds) == (0.5, 1.5)
    assert_storable(report)
    tests = autograder_report(report, exercise="x", arrays=None)["tests"]
    assert [test["status"] for test in tests] == ["passed", "failed"]


@pytest.mark.parametrize(
    "seconds", [[0.2], [0.01], [0.5, 0.19], [0.5, 0.5, 0.1], [0.5, None, 0.1], [None]]
)
def test_the_fastest_of_some_runs_decides(seconds: list[float | None]) -> None:
    clock = Clock(*seconds)
    report = grade_code(counted(), "", clock)
    assert report.verdict is Verdict.CORRECT
    assert clock.left == []
    measured = [one for one in seconds if one is not None]
    assert (report.speed.seconds if report.speed else None) == min(measured, default=None)
    assert report.cases_total == (2 if measured else 1)
    assert_storable(report)


def test_a_time_that_cannot_be_taken_again_stays() -> None:
    report = grade_code(counted(), "", Clock(0.5, *[None] * TIMED_AGAIN))
    assert report.verdict is Verdict.LIMIT_REACHED


def test_where_the_exercise_does_not_say_so_time_decides_nothing() -> None:
    report = grade_code(counted(at_most=None), "", Clock(1.9))
    assert report.verdict is Verdict.CORRECT
    assert report.speed is not None
    assert report.speed.allowed_seconds is None
    assert report.cases_total == 1


def test_below_two_milliseconds_nobody_is_too_slow() -> None:
    tiny = counted(reference=1e-6)
    assert grade_code(tiny, "", Clock(ALWAYS_ALLOWED)).verdict is Verdict.CORRECT
    report = grade_code(tiny, "", Clock(*[2.1 * ALWAYS_ALLOWED] * 3))
    assert report.first_fault is not None
    assert "at most 2\u202fms is allowed (the reference's 1\u202fµs)" in report.first_fault.message


@pytest.mark.parametrize("lie", [*LIES, [0.5, 0.5], [[[3]]], 1e4j])
def test_a_forged_time_neither_crashes_nor_accuses(lie: Any) -> None:
    report = grade_code(counted(), "", Clock(lie))
    assert_storable(report)
    possible = isinstance(lie, float) and 0 <= lie < np.inf
    assert report.verdict is (Verdict.CORRECT if possible else Verdict.COULD_NOT_RUN)
    assert report.speed is None


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_in_the_second_measurement_leaves_the_first(lie: float) -> None:
    report = grade_code(counted(), "", Clock(0.5, lie, lie))
    assert report.verdict is Verdict.LIMIT_REACHED
    assert report.speed is not None
    assert report.speed.seconds == 0.5


def test_a_known_mistake_is_named_however_slow_it_is() -> None:
    pack = IN_TIME.keep([*[True] * 3, *[False] * 4, True])
    report = grade_code(pack, "", Clock(1.9, out=-EXPECTED))
    assert report.verdict is Verdict.KNOWN_MISTAKE
    assert report.first_fault is not None
    assert report.first_fault.stage is Stage.VALUES
    assert not report.cases[-1].passed
    assert report.cases[-1].label == CASES[-1].label
    assert report.speed is None


LOOP = """
import numpy as np
def sinusoidal_table(n, d, base=10000.0):
    table = np.zeros((n, d))
    for pos, column in np.ndindex(n, d):
        angle = np.float64(pos) / np.power(base, (column - column % 2) / d)
        table[pos, column] = np.where(column % 2, np.cos(angle), np.sin(angle))
    return table
"""
TIMED = "how fast 500 positions are"


@pytest.fixture(scope="module")
def timed() -> ExerciseDefinition:
    """The exercise that the authors' documentation writes, with the shipped one's other files."""
    text = (ROOT / "docs/authoring-exercises.md").read_text(encoding="utf-8")
    files = read_folder(DiskFiles(EXERCISE))
    for name, language in (("exercise.yaml", "yaml"), ("cases.py", "python")):
        after = text.split(f"\n## {name}\n", 1)[1]
        files[name] = after.split(f"```{language}\n", 1)[1].split("```", 1)[0]
    files["cases.py"] = files["cases.py"].replace("True)\n", "True, identify=True)\n", 1)
    return read_definition("documented", files)


@pytest.fixture(scope="module")
def timed_pack(timed: ExerciseDefinition, author: Sandbox) -> CasePack:
    return build_case_pack(timed, author, seed=3)


@pytest.mark.sandbox
def test_a_loop_is_too_slow_and_whole_arrays_are_not(
    timed_pack: CasePack, student: Sandbox
) -> None:
    slow = grade_code(timed_pack, LOOP, student)
    assert slow.verdict is Verdict.LIMIT_REACHED
    assert slow.first_fault is not None
    assert (slow.first_fault.stage, slow.first_fault.case) == (Stage.TIME, TIMED)
    assert slow.cases_passed == slow.cases_total - 1
    quick = grade_code(timed_pack, HONEST["where, one line"], student)
    assert quick.verdict is Verdict.CORRECT
    assert quick.cases_passed == quick.cases_total
    assert CasePack.from_bytes(timed_pack.to_bytes()).entry == timed_pack.entry
    check = grade_code(timed_pack, LOOP, student, shown_only=True)
    assert check.verdict is Verdict.CORRECT  # the timed case is a hidden one


@pytest.mark.sandbox
def test_the_reference_is_timed_as_often_as_a_submission(
    timed: ExerciseDefinition, timed_pack: CasePack, author: Sandbox
) -> None:
    taken: list[float | None] = []

    class Noting:
        def run(self, job: Job) -> Run:
            run = author.run(job)
            if any(case.probe == "time" for case in job.cases):
                last = read_run(run, job.cases, job.paired_calls).observations[-1]
                taken.append(measured_by(last, "seconds") if last else None)
            return run

    pack = build_case_pack(timed, Noting(), seed=5, fingerprints=timed_pack.fingerprints)
    assert len(taken) == 1 + TIMED_AGAIN
    assert measured_by(pack.expected[-1], "seconds") == min(one for one in taken if one)


@pytest.mark.parametrize(
    ("at_most", "reference", "warned"),
    [(20.0, 1e-3, 0), (20.0, 9e-5, 1), (None, 9e-5, 0), (20.0, 1.1e-4, 0)],
)
def test_an_author_is_warned_of_an_input_too_small_to_count(
    at_most: float | None, reference: float, warned: int, timed: ExerciseDefinition
) -> None:
    pack = replace(
        counted(at_most=at_most, reference=reference),
        fingerprints=FingerprintSet((), (), frozenset()),
    )
    warnings = [one for one in find_ambiguities(timed, pack, (), ()) if one.kind == "speed"]
    assert len(warnings) == warned
    if warned:
        assert warnings[0].message == (
            "The reference takes 90\u202fµs for “time”, but 2\u202fms are always allowed: "
            "speed.at_most has no effect unless you time a larger input."
        )


@pytest.mark.sandbox
def test_code_that_ends_where_it_is_timed_has_not_passed(
    timed_pack: CasePack, student: Sandbox
) -> None:
    graded = sum(case.graded for case in timed_pack.cases)
    calls = graded + len(calls_of(timed_pack.find_pairs(), timed_pack.cases))
    leave = f"calls.append(n)\n    if len(calls) > {calls}: import os; os._exit(0)"
    code = "calls = []\n" + body(f"{leave}\n    return good(n, d, base)")
    report = grade_code(timed_pack, code, student)
    assert report.verdict is Verdict.COULD_NOT_RUN
    assert report.first_fault is not None
    assert report.first_fault.case == TIMED
    assert report.cases_passed == report.cases_total - 1 == graded


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("place", "at", "message"),
    [
        ("cases.py:1", "return", "yields no case with probe='time'"),
        ("reference.py:1", "raise MemoryError", "cannot be timed on any case"),
        ("reference.py:11", "while True: pass", "how fast 500 positions are: all cases"),
    ],
)
def test_an_author_is_told_that_time_could_never_count(
    place: str, at: str, message: str, timed: ExerciseDefinition, author: Sandbox
) -> None:
    last, start = f'    yield Case("{TIMED}"', "    positions = "
    cases = timed.cases.replace(last, f"    return\n{last}" if at == "return" else last)
    reference = timed.reference.replace(start, f"    if n == 500:\n        {at}\n{start}")
    limits = replace(timed.limits, wall_seconds=0.5 if "while" in at else 10)
    broken = replace(timed, cases=cases, reference=reference, limits=limits)
    with pytest.raises(AuthorError, match=message) as caught:
        build_case_pack(broken, author, seed=1)
    assert str(caught.value).startswith(place)
