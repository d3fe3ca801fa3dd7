"""An exercise is refused while an argument has neither a pair of cases nor a reason for none."""

from dataclasses import replace

import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import ExerciseDefinition, check_folder, read_definition
from quizzes.grader.definitions.pair_check import pair_problems
from quizzes.grader.definitions.verification import verify
from quizzes.grader.errors import DefinitionError
from quizzes.grader.judge.built_in_mistakes import RESERVED_MISTAKES
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.job import Sandbox
from tests.grader.conftest import EXERCISE
from tests.grader.shipped import definition
from tests.shipped_exercises.folders import SLUGS


def problems(table: ExerciseDefinition, author: Sandbox, old: str, new: str) -> list[str]:
    """What is said of the table's pairs once its cases are written otherwise."""
    assert old in table.cases
    bare = replace(table, cases=table.cases.replace(old, new), wrong={})
    return list(pair_problems(bare, build_case_pack(bare, author, seed=1)))


@pytest.mark.sandbox
def test_an_argument_without_a_pair_is_named(table: ExerciseDefinition, author: Sandbox) -> None:
    assert problems(table, author, ', pair="base"', "") == [
        "cases.py: sinusoidal-table: the argument base has no pair of cases that differ in it "
        "alone; expected two with pair='base', or a reason under no_pair in exercise.yaml"
    ]
    excused = replace(table, no_pair={"base": "for the test"})
    assert problems(excused, author, ', pair="base"', "") == []


@pytest.mark.sandbox
def test_verification_refuses_it(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    cases = table.cases.replace(', pair="base"', "")
    found = verify(replace(table, cases=cases, wrong={}), author, student, was_published=True)
    assert not found.ok
    assert len(found.problems) == 1
    assert "the argument base has no pair" in found.problems[0]


@pytest.mark.sandbox
def test_a_case_without_its_other_half_is_named(table: ExerciseDefinition, author: Sandbox) -> None:
    first, second, *more = problems(table, author, '"base": 500.0}', '"base": 500.0, "n": 8}')
    assert first.startswith("cases.py: sinusoidal-table: 'base 100' has pair='base', expected one")
    assert second.startswith("cases.py: sinusoidal-table: 'base 500' has pair='base', expected")
    assert ["the argument base has no pair" in line for line in more] == [True]


@pytest.mark.sandbox
def test_a_reason_beside_a_pair_or_of_no_argument_is_named(
    table: ExerciseDefinition, table_pack: CasePack
) -> None:
    odd = replace(table, no_pair={"d": "for the test", "depth": "for the test"})
    assert list(pair_problems(odd, table_pack)) == [
        "exercise.yaml: sinusoidal-table: no_pair: d: has a pair of cases; remove the reason",
        "exercise.yaml: sinusoidal-table: no_pair: depth: is not an argument of any case, expected "
        "n, d, base",
    ]


@pytest.mark.sandbox
def test_a_pair_that_expects_one_result_finds_nothing(
    table: ExerciseDefinition, author: Sandbox
) -> None:
    assert problems(table, author, '"base": 500.0}', '"base": 100.0000001}') == [
        "cases.py: sinusoidal-table: 'base 100' and 'base 500' expect the same result, so their "
        "pair finds nothing; expected values of base that change it"
    ]


@pytest.mark.sandbox
def test_a_reference_that_forgets_an_argument_is_refused(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    """In every run of it both cases of the pair give what the first call gave."""
    keeps = "\n_kept = {}\n_make = sinusoidal_table\ndef sinusoidal_table(n, d, base=10000.0):\n"
    keeps += "    return _kept.setdefault(d, _make(300, d, base))[:n]\n"
    broken = replace(table, reference=table.reference + keeps, wrong={}, statement="none")
    found = verify(broken, author, student)
    assert any("expect the same result, so their pair" in line for line in found.problems)


def files(**changed: str) -> dict[str, str]:
    read, found = check_folder(DiskFiles(EXERCISE))
    assert not found
    return {**read, **changed}


def test_reasons_are_read() -> None:
    text = files()["exercise.yaml"] + "no_pair:\n  base: for the test\n"
    assert read_definition("x", files(**{"exercise.yaml": text})).no_pair == {
        "base": "for the test"
    }
    assert read_definition("x", files()).no_pair == {}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("no_pair: base", "no_pair: must be a mapping"),
        ("no_pair: {base: 7}", "no_pair.base: 7: must be text"),
        ("no_pair: {base: ''}", "no_pair.base: must not be empty"),
        ("no_pair: {base: }", "no_pair.base: missing"),
    ],
)
def test_a_reason_that_is_none_is_a_problem(lines: str, said: str) -> None:
    text = f"{files()['exercise.yaml']}{lines}\n"
    with pytest.raises(DefinitionError) as caught:
        read_definition("x", files(**{"exercise.yaml": text}))
    assert said in str(caught.value)


@pytest.mark.parametrize("slug", sorted(RESERVED_MISTAKES))
def test_a_variant_cannot_have_the_name_of_a_built_in_mistake(slug: str) -> None:
    source = files()["wrong/transposed.py"]
    with pytest.raises(DefinitionError, match="is the name of a built-in mistake"):
        read_definition("x", files(**{f"wrong/{slug}.py": source}))


@pytest.mark.parametrize("slug", SLUGS)
def test_the_shipped_reasons_are_sentences_about_the_argument(slug: str) -> None:
    for reason in definition(slug).no_pair.values():
        assert len(reason.split()) > 3
