"""All wrong and right programs of an exercise, for tables of what is said of them."""

from collections.abc import Iterator

from tests.shipped_exercises.folders import correct_solution, correct_solutions, definition_of
from tests.strangers.programs import right_programs


def wrong_codes(slug: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each known mistake of an exercise."""
    for name, wrong in definition_of(slug).wrong.items():
        yield name, wrong.source


def right_codes(slug: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each right program of an exercise that the tests keep."""
    yield "reference", definition_of(slug).reference
    for exercise, how in correct_solutions():
        if exercise == slug:
            yield how, correct_solution(slug, how)
    for program in right_programs(slug):
        yield program.name, program.source
