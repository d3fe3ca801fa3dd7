"""What a Check finds: each known mistake fails a shown case, or stands here with the reason."""

from collections.abc import Callable, Iterator

import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.verdict import Verdict
from tests.shipped_exercises.folders import definition_of, variants

pytestmark = pytest.mark.sandbox

EXTREME = "Large numbers show it, which the statement asks for and a shown case would give away."
RARE = "The statement names the argument; a Submit tries it, so that learners think of it first."
OF_MODULE = "The test changes the module or its input in a way that no call on the page has."
MANY_HEADS = "It shows from nine heads on, and the matrices of shown cases stay small."
ONLY_HIDDEN = {
    ("alibi-bias", "floor_exponent"): MANY_HEADS,
    ("alibi-bias", "int_exponent"): MANY_HEADS,
    ("causal-attention", "leading_axes_merged"): RARE,
    ("causal-attention", "max_of_hidden"): EXTREME,
    ("causal-attention", "no_max"): EXTREME,
    ("learned-positions", "detached_input"): OF_MODULE,
    ("learned-positions", "raises_by_accident"): OF_MODULE,
    ("shift-matrix", "zero_is_one"): RARE,
    ("sinusoidal-at", "distance_from_zero"): RARE,
    ("sinusoidal-at", "dtype_of_positions"): RARE,
    ("sinusoidal-at", "float32_angle"): EXTREME,
    ("sinusoidal-at", "two_axes_at_most"): RARE,
    ("sinusoidal-module", "cast_down"): OF_MODULE,
    ("sinusoidal-module", "detached_input"): OF_MODULE,
    ("sinusoidal-module", "raises_by_accident"): OF_MODULE,
    ("softmax-rows", "first_or_last"): RARE,
    ("softmax-rows", "max_of_hidden"): EXTREME,
    ("softmax-rows", "negative_is_last"): RARE,
    ("t5-bucket", "buckets_fixed"): RARE,
    ("t5-bucket", "distance_fixed"): RARE,
    ("t5-bucket", "two_axes_at_most"): RARE,
}


def mistakes() -> Iterator[tuple[str, str]]:
    for slug, name in variants():
        if definition_of(slug).wrong[name].header.kind == "mistake":
            yield slug, name


@pytest.mark.covering(most=12)
@pytest.mark.parametrize(("slug", "name"), list(mistakes()))
def test_check_finds_the_mistake(
    slug: str, name: str, pack_of: Callable[..., CasePack], student: Sandbox
) -> None:
    source = definition_of(slug).wrong[name].source
    report = grade_code(pack_of(slug), source, student, shown_only=True)
    assert (report.verdict is Verdict.CORRECT) == ((slug, name) in ONLY_HIDDEN)


def test_reasons_are_of_mistakes_that_exist() -> None:
    assert set(ONLY_HIDDEN) <= set(mistakes())
