"""Two mistakes at once: named where each shows alone, and nowhere else."""

from collections.abc import Callable

import numpy as np
import pytest

from quizzes.grader.judge.case_pack import CasePack, FingerprintSet, Variant
from quizzes.grader.judge.diagnosis import name_least
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.mistake_pairs import list_pairs
from quizzes.grader.judge.report import KnownMistake, Verdict
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.observation import Observation
from tests.grader.judge.test_stages import ENTRY, RAISED, seen
from tests.grader.shipped import definition
from tests.shared_sandboxes import shared_pack

RIGHT = tuple(np.arange(start, start + 10.0) for start in (10, 20, 30, 40))
PackOf = Callable[[str], CasePack]


def case(number: int) -> Case:
    return Case(f"{number}", {"n": number}, identify=True)


def gives(*factors: float | None) -> tuple[Observation, ...]:
    """What the right numbers times these are, in turn; None raises."""
    wanted = zip(RIGHT, factors, strict=True)
    return tuple(RAISED if factor is None else seen(out=right * factor) for right, factor in wanted)


def pack(**variants: tuple[Observation, ...]) -> CasePack:
    cases = tuple(map(case, range(4)))
    made = tuple(
        Variant(
            KnownMistake(slug, "convention" if "other" in slug else "mistake", "S.", None, "1."),
            observations,
        )
        for slug, observations in variants.items()
    )
    fixed = FingerprintSet(cases, made, frozenset())
    return CasePack("x", "h", 0, ENTRY, cases, gives(1, 1, 1, 1), fixed)


def least(a_pack: CasePack, *got: Observation) -> set[str]:
    return {mistake.slug for mistake in name_least(a_pack, got)}


TWO = pack(first=gives(2, 1, 2, 1), second=gives(1, 3, 3, 1))


@pytest.mark.parametrize("both", [6.0, 5.0, 1.0, -1.0])
def test_two_are_named_by_what_each_gives_alone(both: float) -> None:
    """Where both differ anything may come out."""
    assert least(TWO, *gives(2, 3, both, 1)) == {"first", "second"}


@pytest.mark.parametrize(
    "got",
    [
        gives(2, 3, 6, 7),  # more is wrong
        gives(2, 1, 6, 1),  # the second does not show alone
        gives(2.5, 3, 6, 1),
        gives(None, 3, 6, 1),
    ],
)
def test_two_are_not_named_by_less(got: tuple[Observation, ...]) -> None:
    assert least(TWO, *got) == set()


def test_one_alone_is_named_by_the_exact_match_only() -> None:
    assert name_least(TWO, gives(2, 1, 2, 1)) == ()
    assert name_least(TWO, gives(1, 1, 1, 1)) == ()


def test_a_mistake_that_never_shows_alone_is_not_isolated() -> None:
    hidden = pack(all_=gives(2, 2, 2, 2), some=gives(1, 3, 1, 1))
    assert least(hidden, *gives(2, 6, 2, 2)) == set()
    assert [pair.isolated for pair in list_pairs(hidden)] == [False]
    assert [pair.isolated for pair in list_pairs(TWO)] == [True]


def test_few_numbers_or_zeros_and_ones_are_an_accident() -> None:
    def of(*values: float) -> Observation:
        return seen(out=np.array(values))

    for count, named in ((7, set()), (8, {"first", "second"})):
        right, wrong, zeros = (of(*[value] * count) for value in (5.0, 7.0, 0.0))
        cases = tuple(map(case, range(2)))
        for bad, told in ((wrong, named), (zeros, set())):
            fixed = FingerprintSet(
                cases,
                (
                    Variant(KnownMistake("first", "mistake", "S.", None, "1."), (bad, right)),
                    Variant(KnownMistake("second", "mistake", "S.", None, "1."), (right, bad)),
                ),
                frozenset(),
            )
            a_pack = CasePack("x", "h", 0, ENTRY, cases, (right, right), fixed)
            assert least(a_pack, bad, bad) == told


CRASH = pack(crash=gives(1, 1, None, None), first=gives(2, 1, 2, 1), other=gives(4, 4, 4, 4))


def test_a_variant_that_only_raises_is_named_beside_another_and_beside_anything() -> None:
    assert least(CRASH, *gives(2, 1, None, None)) == {"crash", "first"}
    assert least(CRASH, *gives(4, 4, None, None)) == {"crash", "other"}
    assert least(CRASH, *gives(8, -3, None, None)) == {"crash"}
    assert least(CRASH, *gives(8, -3, None, 1)) == set()
    assert least(CRASH, *gives(8, None, None, None)) == set()
    assert [one.slug for one in name_least(CRASH, gives(4, 4, None, None))] == ["crash", "other"]


def test_a_raise_in_one_case_alone_is_an_accident() -> None:
    once = pack(crash=gives(1, 1, 1, None), first=gives(2, 1, 2, 1))
    assert least(once, *gives(8, -3, 4, None)) == set()


def test_what_is_given_wherever_a_variant_differs_is_certain() -> None:
    one = pack(one=gives(2, 2, 1, 1))
    assert least(one, *gives(2, 2, 7, None)) == {"one"}
    assert least(one, *gives(2, 3, 7, 1)) == set()


def test_equal_facts_alone_name_no_cause() -> None:
    cases = tuple(map(case, range(4)))
    right = (seen(out=[5.0]), seen(out=[6.0]), seen(fact__moves=0), seen(fact__buffers=1))
    wrong = (*right[:2], seen(fact__moves=1), seen(fact__buffers=0))
    mistake = KnownMistake("not_buffer", "mistake", "S.", None, "1.")
    fixed = FingerprintSet(cases, (Variant(mistake, wrong),), frozenset())
    a_pack = CasePack("x", "h", 0, ENTRY, cases, right, fixed)
    assert least(a_pack, seen(out=[9.0]), *wrong[1:]) == set()


@pytest.fixture(scope="module")
def pack_of() -> PackOf:
    return shared_pack


def changed(slug: str, name: str, *changes: tuple[str, str]) -> str:
    """A variant, or the reference, with more changed in it."""
    exercise = definition(slug)
    source = exercise.wrong[name].source if name else exercise.reference
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    return source


HEAD = "def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:"
EVEN = f"{HEAD}\n    assert d % 2 == 0"
SUM = "self.dropout(x + self.pe[:length])"


@pytest.mark.sandbox
@pytest.mark.torch
@pytest.mark.parametrize(
    ("slug", "code", "named", "headline"),
    [
        (
            "shaw-attention",
            changed(
                "shaw-attention",
                "values_forgotten",
                ("+ on_keys) / np.sqrt(head_dim)", "/ np.sqrt(head_dim) + on_keys)"),
            ),
            ("keys_unscaled", "values_forgotten"),
            "at least two known mistakes",
        ),
        (
            "t5-bucket",
            definition("t5-bucket").wrong["flip_noclamp"].source,
            ("flip_noclamp",),
            "a known mistake",
        ),
        (
            "sinusoidal-table",
            changed("sinusoidal-table", "exp_double", (HEAD, EVEN)),
            ("exp_double", "odd_crash"),
            "at least two known mistakes",
        ),
        (
            "sinusoidal-table",
            changed("sinusoidal-table", "concat", (HEAD, EVEN)),
            ("odd_crash", "concat"),
            "another convention, and at least one known mistake",
        ),
        (
            "sinusoidal-table",
            changed("sinusoidal-table", "", (HEAD, EVEN), ("return table", "return table * 3")),
            ("odd_crash",),
            "at least one known mistake",
        ),
        (
            "inv-freq",
            changed(
                "inv-freq", "freq_double", ("np.ndarray:\n", "np.ndarray:\n    assert d % 2 == 0\n")
            ),
            ("freq_double", "odd_crash"),
            "at least two known mistakes",
        ),
        (
            "sinusoidal-module",
            changed(
                "sinusoidal-module",
                "odd_crash",
                (SUM, "x + self.pe[:length]"),
                ("nn.Dropout(dropout)", "dropout"),
            ),
            ("odd_crash", "no_dropout"),
            "at least two known mistakes",
        ),
        (
            "sinusoidal-module",
            changed("sinusoidal-module", "odd_crash", ("self.pe", "self.rows"), ('"pe"', '"rows"')),
            ("odd_crash", "other_name"),
            "at least two known mistakes",
        ),
    ],
)
def test_pairs_seen_in_the_wild_are_named(
    slug: str,
    code: str,
    named: tuple[str, ...],
    headline: str,
    pack_of: PackOf,
    torch_student: Sandbox,
) -> None:
    report = grade_code(pack_of(slug), code, torch_student)
    mistakes = [one for one in (report.known_mistake, report.second_mistake) if one]
    assert {mistake.slug for mistake in mistakes} == set(named)
    assert report.verdict is Verdict.KNOWN_MISTAKE
    assert report.headline == f"Not yet: {headline}"
    assert mistakes[0].kind == "mistake"


@pytest.mark.sandbox
def test_verification_lists_the_pairs(pack_of: PackOf) -> None:
    pack = pack_of("shaw-attention")
    found = {frozenset((pair.first, pair.second)): pair.isolated for pair in list_pairs(pack)}
    count = len(pack.fingerprints.variants)
    assert len(found) == count * (count - 1) // 2
    assert found[frozenset(("keys_unscaled", "values_forgotten"))]
    assert not found[frozenset(("no_scale", "keys_unscaled"))]
