"""Which learned numbers are drawn for a pack, and that nothing else tells them."""

from dataclasses import replace

import pytest

from quizzes.grader.definitions.fill_seeds import with_fill_seeds
from quizzes.grader.protocol.case import Case, decode_cases, encode_cases
from quizzes.grader.protocol.wire import Bounds, decode
from tests.grader.shipped import COURSE
from tests.shared_sandboxes import shared_pack

HIDDEN = Case("hidden", {"n": 3}, init={"d": 4}, probe="call_eval", fill=True)
SHOWN = replace(HIDDEN, label="shown", shown=True)
CASES = (
    HIDDEN,
    SHOWN,
    replace(HIDDEN, label="identify", identify=True),
    replace(HIDDEN, label="spare", spare=True),
    replace(HIDDEN, label="not filled", fill=False),
    Case("function", {"n": 3}),
)


def test_hidden_cases_alone_are_filled_with_drawn_numbers() -> None:
    seeds = [case.fill_seed is not None for case in with_fill_seeds(CASES, 5)]
    assert seeds == [True, False, False, False, False, False]


def test_every_second_filling_is_drawn() -> None:
    cases = with_fill_seeds(CASES, 5)
    assert [case.refill_seed is not None for case in cases] == [True] * 4 + [False] * 2
    numbers = {case.fill_seed for case in cases} | {case.refill_seed for case in cases}
    assert len(numbers - {None}) == 5


def test_seeds_follow_from_the_seed_of_the_pack_alone() -> None:
    one, again, other = (with_fill_seeds(CASES, seed) for seed in (5, 5, 6))
    assert [case.fill_seed for case in one] == [case.fill_seed for case in again]
    assert one[0].fill_seed != other[0].fill_seed
    assert one[1].refill_seed != other[1].refill_seed


def test_both_cases_of_a_pair_are_filled_alike() -> None:
    """One instance is called for both; where one half is shown, both have the known numbers."""
    hidden = [replace(HIDDEN, label=label, pair="n") for label in "ab"]
    first, second = with_fill_seeds(hidden, 5)
    assert first.fill_seed == second.fill_seed is not None
    half = [hidden[0], replace(hidden[1], shown=True)]
    assert [case.fill_seed for case in with_fill_seeds(half, 5)] == [None, None]


def test_seeds_cross_the_wall_with_their_case() -> None:
    cases = with_fill_seeds(CASES, 2**61)
    read = decode_cases(decode(encode_cases(cases, {}), Bounds()))
    for case, other in zip(cases, read, strict=True):
        assert (case.fill_seed, case.refill_seed) == (other.fill_seed, other.refill_seed)


@pytest.mark.sandbox
@pytest.mark.slow
def test_every_shipped_module_that_learns_has_a_hidden_case_with_drawn_numbers() -> None:
    for slug in ("learned-positions", "relative-position-bias"):
        assert (COURSE / "exercises" / slug).is_dir()
        pack = shared_pack(slug)
        evidence = filter(pack.is_evidence, range(len(pack.cases)))
        assert any(pack.cases[place].fill_seed is not None for place in evidence), slug
        shown = [case for case in pack.cases if case.shown]
        assert all(case.fill_seed is None for case in shown), slug
