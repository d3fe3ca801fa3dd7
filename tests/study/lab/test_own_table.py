"""The views of a table, by themselves: their numbers and the sentences made from them."""

import numpy as np
import pytest
from posenc.figures.describe import describe
from posenc.figures.live import draw_live
from posenc.query import read_query
from posenc.views import ViewData

from quizzes.lessons.own_numbers.table import Tables, table_entry
from quizzes.study.lab.starts import BINARY, RANDOM, SINUSOIDAL
from tests.study.lab.lab_runs import Table


def view(table: Table, name: str, **texts: str) -> ViewData:
    entry = table_entry("own", "Yours", Tables.of(table))
    return read_query(entry, entry.views[name], texts).compute()


def table_of(code: str, n: int = 40, d: int = 16) -> Table:
    names: dict[str, object] = {}
    exec(code, names)
    table: Table = names["f"](n, d)  # type: ignore[operator]
    return table


@pytest.mark.parametrize("start", [SINUSOIDAL, BINARY, RANDOM])
@pytest.mark.parametrize("shape", [(2, 2), (3, 5), (64, 32)])
def test_starting_point_returns_a_table(start: object, shape: tuple[int, int]) -> None:
    table = table_of(start.code, *shape)  # type: ignore[attr-defined]
    assert table.shape == shape
    assert np.isfinite(table).all()


def test_sines_and_cosines_bear_a_shift() -> None:
    assert view(table_of(SINUSOIDAL.code), "shift").finding.startswith("A shift changes no score")
    assert view(table_of(RANDOM.code), "shift").finding.startswith("A shift changes the scores")


def test_curves_of_a_shift_hold_every_product() -> None:
    table = table_of(RANDOM.code)
    largest, mean, smallest = view(table, "shift").values
    for offset in range(len(table) - 1):
        products = [table[p] @ table[p + offset] for p in range(len(table) - offset)]
        assert largest[offset] == pytest.approx(max(products))
        assert mean[offset] == pytest.approx(np.mean(products))
        assert smallest[offset] == pytest.approx(min(products))


def test_reach_is_the_mean_cosine() -> None:
    table = table_of(BINARY.code)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    expected = [np.mean([unit[p] @ unit[p + k] for p in range(40 - k)]) for k in range(40)]
    assert np.allclose(view(table, "reach").values[0], expected)


def test_slider_crops_the_table() -> None:
    table = table_of(RANDOM.code)
    assert np.array_equal(view(table, "heatmap", positions="7").values, table[:7])
    assert np.allclose(view(table, "dot-products", positions="7").values, table[:7] @ table[:7].T)


@pytest.mark.parametrize(
    "table",
    [
        np.zeros((2, 1)),
        np.zeros((5, 3)),
        np.full((4, 2), 1e100),
        np.full((4, 2), -1e-300),
        np.eye(256),
        np.full((3, 2), np.nan),
        np.ones((1, 4)),
        np.array([[np.inf, 1.0], [2.0, 3.0]]),
    ],
)
def test_every_table_can_be_drawn(table: Table) -> None:
    entry = table_entry("own", "Yours", Tables.of(table))
    for each in entry.views.values():
        data = read_query(entry, each, {}).compute()
        drawn = draw_live(data, scheme="light", width_px=360)
        assert "nan" not in drawn.svg.replace("NaN", "")


def test_sentence_of_a_shift_is_true_when_shortened() -> None:
    table = np.eye(3)[[0, 1, 0, 2, 1, 2]]
    near, far = (view(table, "shift", offsets=offsets).finding for offsets in ("1", "4"))
    assert near.startswith("Up to offset 1, a shift changes no score")
    assert far.startswith("A shift changes the scores: at offset 2 they vary from 0 to 1")


def test_small_numbers_have_a_direction() -> None:
    table = table_of(RANDOM.code)
    reach, tiny = (view(each, "reach") for each in (table, table * 1e-200))
    assert np.allclose(reach.values, tiny.values)


def test_zero_vectors_are_named() -> None:
    table = np.ones((4, 2))
    assert "only zeros" not in view(table, "reach").finding
    table[1] = 0
    assert view(table, "reach").finding.startswith("1 of 4 vectors has only zeros, so no direction")


def test_table_of_too_many_positions_is_refused() -> None:
    with pytest.raises(ValueError, match="1025 positions: at most 1024"):
        table_entry("own", "Yours", Tables.of(np.zeros((1025, 1))))


def test_question_as_a_title_ends_once() -> None:
    said = describe(view(table_of(RANDOM.code), "shift"))
    assert said.startswith("Does a shift change the scores? Curves.")
