"""Where so few calls can be drawn that a table of them all passes, an exercise is refused."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.grader.definitions.definition import (
    DefinitionError,
    ExerciseDefinition,
    read_definition,
    read_folder,
)
from quizzes.grader.definitions.distinct_calls import (
    DRAWINGS,
    LEAST,
    count_calls,
    estimate,
    few_call_problems,
    idle_reasons,
)
from quizzes.grader.definitions.verification import verify
from quizzes.grader.errors import AuthorError
from quizzes.grader.protocol.job import Sandbox
from tests.grader.conftest import EXERCISE
from tests.shipped_exercises.folders import SLUGS, definition_of

HEAD = "import numpy as np\nfrom ordinal_exercise import Case\ndef cases(rng):\n"
SEEN = "    yield Case('seen', {'n': int(rng.integers(10**9))}, shown=True)\n"


def drawing(table: ExerciseDefinition, arguments: str, **more: object) -> ExerciseDefinition:
    """An exercise with one hidden drawn case."""
    options = "".join(f", {name}={value!r}" for name, value in more.items())
    cases = f"{HEAD}{SEEN}    yield Case('drawn', {arguments}{options})\n"
    return replace(table, cases=cases)


@pytest.mark.parametrize("size", [1, 30, 92, 1120, 5000])
def test_the_estimate_is_near_the_number_of_calls(size: int) -> None:
    """By another way: simulated, where the number is known."""
    rng = np.random.default_rng(size)
    ratios = [estimate(rng.integers(size, size=DRAWINGS)) / size for _ in range(50)]
    assert np.median(ratios) == pytest.approx(1, abs=0.1)


def test_likely_calls_count_for_more_than_rare_ones() -> None:
    rng = np.random.default_rng(1)
    keys = np.where(rng.random(DRAWINGS) < 0.5, 0, rng.integers(10**9, size=DRAWINGS))
    assert 3 < estimate(keys) < 6


def test_what_is_never_the_same_is_drawn_from_endless_calls() -> None:
    assert estimate(np.arange(DRAWINGS)) == inf
    assert estimate(np.zeros(0)) == inf


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("arguments", "least", "most"),
    [
        ("{'n': 7}", 1, 1),
        ("{'n': int(rng.integers(33, 63))}", 25, 36),
        ("{'n': int(rng.integers(33)), 'd': int(rng.integers(33))}", 700, 1800),
        ("{'n': float(rng.uniform())}", inf, inf),
        ("{'n': rng.normal(size=3)}", inf, inf),
        ("{'n': rng.integers(0, 40, size=(8, 12))}", 30, 50),
        ("{'n': rng.integers(0, 40, size=(8, 12)), 'base': rng.uniform()}", inf, inf),
        ("{'n': rng.integers(0, 2, size=20).astype(bool)}", inf, inf),
        ("{'n': rng.integers(0, 2, size=3).astype(bool)}", 7, 9),
    ],
)
def test_calls_are_counted_by_their_arguments(
    arguments: str, least: float, most: float, table: ExerciseDefinition, author: Sandbox
) -> None:
    assert least <= count_calls(drawing(table, arguments), author)["drawn"] <= most


@pytest.mark.sandbox
@pytest.mark.parametrize("more", [{"shown": True}, {"raises": True}, {"spare": True}])
def test_only_hidden_results_are_counted(
    more: dict[str, bool], table: ExerciseDefinition, author: Sandbox
) -> None:
    definition = drawing(table, "{'n': float(rng.uniform())}", **more)
    assert count_calls(definition, author) == {}
    (problem,) = few_call_problems(definition, author)
    assert "there are none" in problem


@pytest.mark.sandbox
def test_learned_numbers_that_are_drawn_count(table: ExerciseDefinition, author: Sandbox) -> None:
    made = {"init": {"d": 4}, "probe": "call_eval", "fill": True}
    assert count_calls(drawing(table, "{'n': 7}", **made), author) == {"drawn": inf}
    known = drawing(table, "{'n': 7}", **made, identify=True)
    assert count_calls(known, author) == {"drawn": 1.0}


@pytest.mark.sandbox
def test_few_calls_need_a_reason(table: ExerciseDefinition, author: Sandbox) -> None:
    few = drawing(table, "{'n': int(rng.integers(33, 63))}")
    (problem,) = few_call_problems(few, author)
    assert problem.startswith(
        "cases.py: a hidden case must be drawn from at least 10,000 different calls"
    )
    assert "about 3" in problem
    assert "'drawn'" in problem
    assert "few_calls" in problem
    reasoned = replace(few, few_calls="There are no more heads.")
    assert list(few_call_problems(reasoned, author)) == []
    assert list(idle_reasons(reasoned, author)) == []
    many = drawing(table, "{'n': float(rng.uniform())}")
    assert list(few_call_problems(many, author)) == []
    assert list(idle_reasons(many, author)) == []
    (warned,) = idle_reasons(replace(many, few_calls="There are no more heads."), author)
    assert "remove the reason" in warned.message


@pytest.mark.sandbox
def test_cases_that_break_off_later_are_the_authors_fault(
    table: ExerciseDefinition, author: Sandbox
) -> None:
    breaking = drawing(table, "{'n': 1 // int(rng.integers(20))}")
    with pytest.raises(AuthorError, match="ZeroDivisionError") as raised:
        count_calls(breaking, author)
    assert raised.value.problems[0].line == 5


@pytest.mark.parametrize("text", ["''", "'  '", ""])
def test_a_reason_that_is_empty_is_refused(text: str) -> None:
    files = read_folder(DiskFiles(EXERCISE))
    files["exercise.yaml"] += f"few_calls: {text}\n"
    with pytest.raises(DefinitionError, match="few_calls"):
        read_definition("sinusoidal-table", files)


def test_a_reason_is_read_from_the_file() -> None:
    files = read_folder(DiskFiles(EXERCISE))
    assert read_definition("sinusoidal-table", files).few_calls == ""
    files["exercise.yaml"] += "few_calls: There are only three.\n"
    assert read_definition("sinusoidal-table", files).few_calls == "There are only three."


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.covering(most=3)
@pytest.mark.parametrize("slug", SLUGS)
def test_every_shipped_exercise_draws_enough(slug: str, author: Sandbox) -> None:
    assert max(count_calls(definition_of(slug), author).values()) >= LEAST
    assert definition_of(slug).few_calls == ""


@pytest.mark.sandbox
@pytest.mark.slow
def test_an_exercise_with_few_calls_is_not_published(
    table: ExerciseDefinition, author: Sandbox, student: Sandbox
) -> None:
    cases = table.cases.replace("rng.uniform(", "0.5 + 0 * rng.uniform(")
    few = replace(table, cases=cases, wrong={})
    assert any(
        "10,000 different calls" in problem for problem in verify(few, author, student).problems
    )
