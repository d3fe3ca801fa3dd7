"""A relation is said only where it is true of every result and shows in several of them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from quizzes.grader.judge.case_pack import CasePack, EntryPoint, FingerprintSet
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.judge.relations import samples, words
from quizzes.grader.judge.relations.rules import find_relation
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Limits
from quizzes.grader.protocol.observation import Failure, Leaf, Observation
from quizzes.grader.protocol.verdict import Stage

Change = Callable[[np.ndarray], np.ndarray]
LIMITS = Limits(wall_seconds=1, memory_mb=100)
ENTRY = EntryPoint("f", "function", "numpy", ("float64",), Tolerance(1e-5, 1e-6), LIMITS)
NONE = FingerprintSet((), (), frozenset())
RNG = np.random.default_rng(5)
TABLES = tuple(RNG.normal(size=shape).round(3) for shape in ((3, 4), (4, 6), (5, 8)))
MASKED = tuple(np.where(np.tri(*table.shape) > 0, table, -np.inf) for table in TABLES)
SYMMETRIC = tuple(table @ table.T for table in TABLES)


def result(values: np.ndarray) -> Observation:
    return Observation({"out": Leaf("array", "ndarray", "float64", values.shape, values=values)})


def relation(expected, got, *, shown=2, arguments=(), entry=ENTRY) -> str:
    """What is said of these results; the first `shown` cases are seen by the learner."""
    called = arguments or [{} for _ in expected]
    cases = tuple(Case(f"case {at}", kwargs, shown=at < shown) for at, kwargs in enumerate(called))
    pack = CasePack("x", "h", 0, entry, cases, tuple(map(result, expected)), NONE)
    seen = [item if isinstance(item, Observation) else result(item) for item in got]
    return find_relation(pack, seen, range(len(cases)))


def changed(change: Change, tables=TABLES, **options) -> str:
    return relation(tables, [change(table) for table in tables], **options)


def turned(table: np.ndarray) -> np.ndarray:
    return np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)


def odd_columns_negated(table: np.ndarray) -> np.ndarray:
    return np.where(np.arange(table.shape[1]) % 2, table + np.arange(table.shape[1]) ** 3, table)


RELATIONS: dict[str, tuple[Change, str]] = {
    "half": (lambda table: table / 2, "your result is half of the expected one"),
    "third": (lambda table: table / 3, "your result is the expected one divided by 3"),
    "times": (lambda table: 1.7 * table, "your result is the expected one times 1.7"),
    "negated": (np.negative, "your result is the expected one with the opposite sign"),
    "plus": (lambda table: table + 1, "your result is the expected one plus 1"),
    "by size": (
        lambda table: table * table.shape[1],
        "your result is the expected one times a number that changes with the input",
    ),
    "transposed": (np.transpose, "your result is the expected one transposed"),
    "rows reversed": (np.flipud, "your result has the expected rows in reverse order"),
    "columns reversed": (np.fliplr, "your result has the expected columns in reverse order"),
    "row down": (
        lambda table: np.roll(table, 1, axis=0) + (np.arange(len(table)) == 0)[:, None],
        "your row 3 is the expected row 2, and so on",
    ),
    "column back": (
        lambda table: np.roll(table, -1, axis=1),
        "your column 2 is the expected column 3, and so on",
    ),
    "halves": (turned, "your result has the expected columns in another order: 0, 2, 1, 3"),
    "signs": (np.abs, "your numbers are right except for their signs"),
    "rounded": (np.rint, "your result is the expected one rounded to whole numbers"),
    "zeros": (np.zeros_like, "your result is 0 everywhere"),
    "by row": (
        lambda table: table * (2.0 + np.arange(len(table)))[:, None],
        "each row of your result is the expected row times a factor of its own: 2, 3, 4",
    ),
    "elsewhere": (
        lambda table: table.T.reshape(table.shape),
        "your result has the expected numbers, but in other places",
    ),
    "odd": (
        odd_columns_negated,
        "in the cases that you can see, only the odd columns (1, 3, ...) differ",
    ),
}


@pytest.mark.parametrize("name", RELATIONS)
def test_a_relation_of_every_case_is_said(name: str) -> None:
    change, said = RELATIONS[name]
    scaled = tuple(3 * table for table in TABLES)
    assert changed(change, scaled if name == "rounded" else TABLES) == said


@pytest.mark.parametrize("name", sorted(RELATIONS.keys() - {"odd"}))
def test_one_case_breaks_a_relation(name: str) -> None:
    change, said = RELATIONS[name]
    got = [*map(change, TABLES[:2]), change(TABLES[2]) ** 2 + 7]
    assert relation(TABLES, got) != said


@pytest.mark.parametrize("name", RELATIONS)
@pytest.mark.parametrize(
    "tables",
    [
        pytest.param((np.zeros((3, 4)), np.zeros((4, 6))), id="zeros"),
        pytest.param((np.full((1, 1), 2.0), np.full((1, 1), 3.0)), id="one number"),
        pytest.param((np.full((3, 4), 2.0), np.full((4, 6), 3.0)), id="one number everywhere"),
        pytest.param((TABLES[0], np.zeros((4, 6))), id="only one case says something"),
    ],
)
def test_degenerate_results_show_no_relation(name: str, tables) -> None:
    assert changed(RELATIONS[name][0], tables) == ""


def test_symmetric_results_are_not_called_transposed() -> None:
    assert changed(np.transpose, SYMMETRIC) == ""


def test_right_results_have_no_relation() -> None:
    nearly = [table * (1 + 5e-6) for table in TABLES]
    assert relation(TABLES, TABLES) == relation(TABLES, nearly) == ""


def test_a_number_comes_from_shown_cases() -> None:
    """Hidden cases confirm a factor, but none is read from them."""
    half = [TABLES[0], *(table / 2 for table in TABLES)]
    zero = (np.zeros((3, 4)), *TABLES)
    half[0] = zero[0]
    assert relation(zero, half, shown=1) == ""
    by_size = [zero[0], *(table * table.shape[1] for table in TABLES)]
    assert relation(zero, by_size, shown=1) == words.VARYING_FACTOR
    assert relation(TABLES, list(map(odd_columns_negated, TABLES)), shown=0) == ""


def test_missing_infinities_are_named_with_the_rest() -> None:
    expected = "your numbers are finite where minus infinity is expected"
    assert changed(lambda table: np.maximum(table, -1e9), MASKED) == (
        f"{expected}; all others are right"
    )
    only = tuple(np.where(table == -np.inf, table, -np.inf) for table in MASKED)
    assert changed(lambda table: np.maximum(table, -1e9), only) == expected
    for change, rest in ((np.exp, words.EXPONENTIAL), (lambda table: table + 1, "plus 1")):
        got = [np.where(table == -np.inf, -1e9, change(table)) for table in MASKED]
        said = relation(MASKED, got)
        assert said.startswith(f"{expected}; in all other places, ")
        assert said.endswith(rest)
    halved = [np.maximum(table / 2, -1e9) for table in MASKED]
    assert relation(MASKED, halved) == (
        f"{expected}; in all other places, your result is half of the expected one"
    )


def test_an_argument_is_recognised() -> None:
    arguments = [{"x": RNG.normal(size=table.shape)} for table in TABLES]
    returned = [kwargs["x"] for kwargs in arguments]
    assert relation(TABLES, returned, arguments=arguments) == (
        "your result is the argument x, unchanged"
    )
    missing = [table - kwargs["x"] for table, kwargs in zip(TABLES, arguments, strict=True)]
    assert relation(TABLES, missing, arguments=arguments) == (
        "your result is the expected one minus the argument x"
    )


def test_nothing_is_said_of_code_that_stopped() -> None:
    stopped = Observation(failure=Failure(Stage.RETURNED, "ValueError"))
    assert relation(TABLES, [TABLES[0] / 2, TABLES[1] / 2, stopped]) == ""


@pytest.mark.parametrize("seed", range(40))
def test_results_of_any_shapes_are_compared(seed: int) -> None:
    """Also empty ones, single numbers, other shapes than expected, NaN and infinities."""
    rng = np.random.default_rng(seed)
    shapes = (
        (),
        (0,),
        (1,),
        (3,),
        (3, 4),
        (0, 3),
        (1, 4),
        (2, 3, 4),
        (1, 1, 1, 2),
        (1, 2, 1, 2, 3),
    )
    special = (0.0, 1.0, -np.inf, np.inf, np.nan)
    pairs = []
    for _ in range(4):
        shape = shapes[rng.integers(len(shapes))]
        other = shape if rng.random() < 0.8 else shapes[rng.integers(len(shapes))]
        sides = [rng.normal(size=size) for size in (shape, other)]
        for side in sides:
            side[rng.random(side.shape) < 0.2] = special[rng.integers(len(special))]
        pairs.append([np.asarray(side) for side in sides])
    expected, got = zip(*pairs, strict=True)
    missing = {words.infinities(negative=sign, right_elsewhere=False) for sign in (True, False)}
    assert relation(expected, got) in {"", *missing}


@pytest.mark.parametrize("size", [3e-310, 5e-324, 1e-200, 1e12, 1e307])
def test_a_number_of_many_digits_is_not_said(size: float) -> None:
    relative = replace(ENTRY, tolerance=Tolerance(1e-5))
    assert changed(lambda table: table * size, entry=relative) == ""


def test_a_printed_number_is_true_of_every_case() -> None:
    assert changed(lambda table: table * 0.99995).endswith("times 0.99995")
    assert changed(lambda table: table * 1.00005).endswith("times 1.00005")
    assert changed(lambda table: table * 2**0.5).endswith("times 1.4142")
    assert changed(lambda table: table * 1.23456789).endswith("times 1.23457")
    assert changed(lambda table: table + 2**0.5).endswith("plus 1.414214")


def test_large_numbers_have_no_exponent() -> None:
    assert changed(lambda table: table * 1e4).endswith("times 10000")
    assert changed(lambda table: table / 1e4).endswith("divided by 10000")
    large = tuple(1e5 * table for table in TABLES)
    assert changed(lambda table: table + 12340, large).endswith("plus 12340")


def test_factors_are_listed_for_whole_results() -> None:
    """No factor of a row of zeros is known, and an empty result has none."""

    def by_row(table: np.ndarray) -> np.ndarray:
        return table * (2.0 + np.arange(len(table)))[:, None]

    said = "each row of your result is the expected row times a factor of its own"
    empty = np.zeros((0, 4))
    assert changed(by_row, (empty, *TABLES), shown=1) == said
    assert changed(by_row, (empty, *TABLES), shown=2) == f"{said}: 2, 3, 4"
    zeros = tuple(np.where(np.arange(len(table))[:, None] == 1, 0, table) for table in TABLES)
    assert changed(by_row, zeros) == said


def test_a_large_result_has_no_relation() -> None:
    large = RNG.normal(size=(2, samples.LARGEST))
    assert changed(np.negative, (*TABLES, large)) == ""
