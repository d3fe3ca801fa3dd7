"""Case packs: what an author may get wrong is named with file and line; packs survive bytes."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import ExerciseDefinition, read_wrong
from quizzes.grader.definitions.verification import verify
from quizzes.grader.errors import AuthorError
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from quizzes.grader.protocol.job import Ending, Job, Limits, Run, Sandbox
from quizzes.grader.protocol.wire import BadFrame
from quizzes.grader.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.sandbox

ENDLESS = "while True: __import__('time').sleep(0.05)"  # without the processor's time
HEAD = "from quizzes.grader.case import Case\ndef cases(rng):\n"
TWO = (
    "    yield Case('a', {'n': 3, 'd': 4}, shown=True, identify=True)\n"
    "    yield Case('b', {'n': 5, 'd': 6, 'base': 50.0}, identify=True)\n"
)
DRAWN = "    yield Case('drawn', {'n': 7, 'd': 6, 'base': rng.uniform(20, 90)})\n"


def with_few(exercise: ExerciseDefinition) -> ExerciseDefinition:
    """Return it with five of its known mistakes: to run them all takes a second."""
    return replace(exercise, wrong=dict(list(exercise.wrong.items())[:5]))


def limits_for(message: str) -> Limits:
    """Short ones where code is to run into them, and else ones that no busy machine meets."""
    return Limits(wall_seconds=0.5 if "the limit is" in message else 10)


@pytest.mark.parametrize(
    ("changes", "place", "message"),
    [
        ({"cases": HEAD + "    return\n    yield"}, "cases.py:1", "yields no case"),
        ({"cases": HEAD + "    return []"}, "cases.py:1", "yields no case"),
        ({"cases": HEAD + "    yield 1 / 0"}, "cases.py:3", "ZeroDivisionError"),
        ({"cases": HEAD + "    yield 7"}, "cases.py:1", "yielded 7, expected a Case"),
        ({"cases": HEAD + "    yield Case('a', {'n': {}})"}, "cases.py:3", "n={}: expected a"),
        ({"cases": HEAD + "    yield Case('a', probe='guess')"}, "cases.py:3", "probe='guess'"),
        ({"cases": HEAD + "    yield Case('')"}, "cases.py:3", "label=''"),
        ({"cases": HEAD + TWO + TWO}, "cases.py:1", "two cases with the label 'a'"),
        ({"cases": HEAD + f"    {ENDLESS}"}, "cases.py:3", "s; the limit is 0.5 s. It was"),
        ({"cases": HEAD + "    for i in range(999): yield Case(str(i))"}, "cases.py", "more than"),
        ({"cases": "def casess(rng): 1"}, "cases.py:1", "does not define `cases`"),
        ({"cases": "cases = ("}, "cases.py:1", "SyntaxError"),
        ({"cases": HEAD + "    import os; os._exit(1)"}, "cases.py:1", "exit code 1"),
        ({"cases": HEAD + "    yield Case('a', {'n': 1})"}, "cases.py:1", "no shown case"),
        ({"cases": HEAD + "    yield Case('a', {'n': 1}, shown=True)"}, "cases.py:1", "identify"),
        ({"cases": HEAD + TWO.replace("5,", "int(rng.integers(99)),")}, "cases.py:1", "depends on"),
        ({"cases": HEAD + TWO.replace("50.0}", "50.0}, init={}")}, "cases.py:1", "takes no init"),
        (
            {"reference": "def sinusoidal_table(n, d, base=1):\n  return n / 0"},
            "reference.py:2",
            "Zero",
        ),
        (
            {"reference": "def sinusoidal_table(n, d, base=1):\n  return 'x'"},
            "reference.py:1",
            "text",
        ),
        ({"reference": ENDLESS}, "reference.py:", "the limit is"),
        ({"reference": "def sinusoidal_table(n, dim): 1"}, "reference.py:1", "cannot be called"),
        ({"cases": HEAD + TWO.replace("50.0}", "50.0}, raises=True")}, "cases.py:1", "identify"),
    ],
)
def test_an_authors_fault_has_its_place(
    changes: dict[str, str],
    place: str,
    message: str,
    table: ExerciseDefinition,
    author: Supervisor,
) -> None:
    broken = replace(table, **{"limits": limits_for(message), **changes})
    with pytest.raises(AuthorError) as caught:
        build_case_pack(broken, author, seed=1)
    assert str(caught.value).startswith(place)
    assert message in caught.value.message


def test_everything_that_is_wrong_with_the_cases_is_told(
    table: ExerciseDefinition, author: Supervisor
) -> None:
    twice = "    yield Case('a', {'n': 1}, init={})\n" * 2
    broken = replace(table, cases=HEAD + twice, limits=limits_for(""), speed_at_most=20)
    with pytest.raises(AuthorError) as caught:
        build_case_pack(broken, author, seed=1)
    assert [str(problem) for problem in caught.value.problems] == [
        "cases.py:1: yields two cases with the label 'a'",
        "cases.py:1: yields no shown case: a Check would say nothing",
        "cases.py:1: yields no case with probe='time', but exercise.yaml has speed.at_most",
        "cases.py:1: has 0 identify cases that return, expected 2 or more to tell known"
        " mistakes apart",
        "cases.py:1: a: a function takes no init",
        "cases.py:1: a: a function takes no init",
    ]


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        (ENDLESS, 6, "the limit is"),
        ("import nothing_there", 6, "No module named"),
        ("import os; os._exit(0)", 1, "exit code 0"),
    ],
)
def test_a_broken_variant_is_the_authors_fault(
    code: str, line: int, message: str, table: ExerciseDefinition, author: Supervisor
) -> None:
    source = f'"""Sentence.\n\nKind: mistake\nBreaks: 1\n"""\n{code}\n'
    variant = read_wrong("wrong/odd.py", source)
    broken = replace(table, wrong={"odd": variant}, limits=limits_for(message))
    with pytest.raises(AuthorError) as caught:
        build_case_pack(broken, author, seed=1)
    assert caught.value.path == "wrong/odd.py"
    assert caught.value.line in (line, line + 1)
    assert message in caught.value.message


def test_a_pack_survives_bytes(table_pack: CasePack, student: Supervisor) -> None:
    again = CasePack.from_bytes(table_pack.to_bytes())
    assert again.entry == table_pack.entry
    assert (again.slug, again.content_hash, again.seed) == (
        table_pack.slug,
        table_pack.content_hash,
        table_pack.seed,
    )
    assert [c.kwargs for c in again.cases] == [c.kwargs for c in table_pack.cases]
    for one, other in zip(again.expected, table_pack.expected, strict=True):
        for key, leaf in one.leaves.items():
            np.testing.assert_array_equal(leaf.values, other.leaves[key].values)
    assert [v.mistake for v in again.fingerprints.variants] == [
        v.mistake for v in table_pack.fingerprints.variants
    ]
    assert again.to_bytes() == table_pack.to_bytes()


def test_packs_of_a_version_share_what_its_variants_give(table_pack: CasePack) -> None:
    first = CasePack.from_bytes(table_pack.to_bytes())
    second = CasePack.from_bytes(table_pack.to_bytes(), fingerprints=first.fingerprints)
    assert second.fingerprints is first.fingerprints
    assert second.to_bytes() == first.to_bytes()


@pytest.mark.parametrize("damage", ["cut", "empty", "other", "twice"])
def test_damaged_bytes_are_no_pack(damage: str, table_pack: CasePack) -> None:
    data = table_pack.to_bytes()
    broken = {
        "cut": data[:-1],
        "empty": b"",
        "other": b"\x80\x04pickle",
        "twice": data + data,
    }[damage]
    with pytest.raises(BadFrame):
        CasePack.from_bytes(broken)


def test_the_identify_set_is_made_once(table: ExerciseDefinition, author: Supervisor) -> None:
    few = with_few(table)
    first = build_case_pack(few, author, seed=1)
    second = build_case_pack(few, author, seed=2, fingerprints=first.fingerprints)
    assert second.fingerprints is first.fingerprints
    assert second.seed == 2
    drawn = [case.kwargs for case in first.cases if case.label.startswith("drawn")]
    assert drawn != [case.kwargs for case in second.cases if case.label.startswith("drawn")]


@dataclass
class StallingSandbox:
    """A sandbox on a machine that stalls at the first run of everything."""

    sandbox: Sandbox
    met: list[Job] = field(default_factory=list)

    def run(self, job: Job) -> Run:
        if any(one is job for one in self.met):
            return self.sandbox.run(job)
        self.met.append(job)
        return Run(Ending.TIME_LIMIT, (), b"", seconds=job.limits.wall_seconds)


def test_a_machine_that_stalls_refuses_no_exercise(
    table: ExerciseDefinition, author: Supervisor, student: Supervisor
) -> None:
    stalling = StallingSandbox(author)
    few = with_few(table)
    assert verify(few, stalling, student, was_published=True).problems == ()
    assert len(stalling.met) > len(few.wrong)


def test_the_same_seed_gives_the_same_pack(table: ExerciseDefinition, author: Supervisor) -> None:
    """But for how long the reference took."""
    first, second = (build_case_pack(with_few(table), author, seed=9) for _ in range(2))
    untimed = [case.probe != "time" for case in first.cases]
    assert untimed.count(False) == 1
    assert first.keep(untimed).to_bytes() == second.keep(untimed).to_bytes()


def test_an_announced_error_must_be_raised_whatever_its_type(
    table: ExerciseDefinition, author: Supervisor, student: Supervisor
) -> None:
    check = "    if n > 100: raise ValueError('too long')\n    positions"
    strict = replace(
        table,
        cases=HEAD + TWO + DRAWN + "    yield Case('long', {'n': 999, 'd': 4}, raises=True)\n",
        reference=table.reference.replace("    positions", check, 1),
        wrong={},
    )
    pack = build_case_pack(strict, author, seed=1)
    other_type = strict.reference.replace("ValueError", "IndexError")
    assert grade_code(pack, other_type, student).verdict is Verdict.CORRECT
    report = grade_code(pack, table.reference, student)
    assert report.verdict is Verdict.WRONG
    assert report.first_fault is not None
    assert "here it must raise an error" in report.first_fault.message
    with pytest.raises(AuthorError, match=r"reference.py:1: long: expected to raise"):
        build_case_pack(replace(strict, reference=table.reference), author, seed=1)


def test_verify_finds_what_is_not_told_apart(
    table: ExerciseDefinition, author: Supervisor, student: Supervisor
) -> None:
    twin, third = (replace(table.wrong["swap"], slug=slug) for slug in ("twin", "third"))
    right = replace(table.wrong["swap"], slug="right", source=table.reference)
    odd = replace(
        table,
        wrong={"swap": table.wrong["swap"], "twin": twin, "third": third, "right": right},
        starter=table.reference,
    )
    same = "cannot be told apart: they give the same results on every identify case"
    assert verify(odd, author, student, was_published=True).problems == (
        "starter.py: is graded correct as it stands",
        f"wrong/swap.py: swap and twin {same}",
        f"wrong/third.py: third and swap {same}",
        "wrong/right.py: was graded correct, expected known_mistake right",
    )


def test_an_author_may_use_the_engine_and_a_student_may_not(
    table: ExerciseDefinition, author: Supervisor, student: Supervisor
) -> None:
    source = "import posenc\n" + table.reference
    pack = build_case_pack(replace(table, reference=source, wrong={}), author, seed=1)
    assert grade_code(pack, table.reference, student).verdict is Verdict.CORRECT
    assert grade_code(pack, source, student).verdict is Verdict.COULD_NOT_RUN
