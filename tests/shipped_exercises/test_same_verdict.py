"""The same code has the same verdict and the same name, whatever is drawn: twenty packs each."""

from collections.abc import Iterator

import pytest

from quizzes.grader.judge.judge import grade_code
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import (
    SLUGS,
    correct_solution,
    correct_solutions,
    definition_of,
    mistaken_solution,
    mistaken_solutions,
)

pytestmark = [pytest.mark.sandbox, pytest.mark.soak]

SEEDS = range(100, 120)


def programs(slug: str) -> Iterator[tuple[str, str]]:
    """Yield the programs of an exercise whose verdict is known, each with its name."""
    definition = definition_of(slug)
    yield "reference", definition.reference
    yield "starter", definition.starter
    for variant, wrong in definition.wrong.items():
        yield variant, wrong.source
    for name, how in correct_solutions():
        if name == slug:
            yield f"correct: {how}", correct_solution(slug, how)
    for name, variant, how in mistaken_solutions():
        if name == slug:
            yield f"{variant}: {how}", mistaken_solution(slug, variant, how)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_program_has_one_verdict_on_twenty_packs(slug: str) -> None:
    student, other = shared_sandbox("student"), {}
    for name, code in programs(slug):
        said = set()
        for seed in SEEDS:
            report = grade_code(shared_pack(slug, seed), code, student)
            named = report.known_mistake.slug if report.known_mistake else ""
            said.add((report.verdict.value, named))
        if len(said) > 1:
            other[name] = said
    assert other == {}
