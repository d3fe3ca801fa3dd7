"""The views of a table, by themselves: their numbers and the sentences made from them."""

import numpy as np
import pytest
from posenc.figures.live import draw_live
from posenc.query import read_query
from posenc.views import ViewData

from quizzes.lessons.own_numbers.table import table_entry
from quizzes.study.lab.starts import BINARY, RANDOM, SINUSOIDAL
from tests.study.lab.lab_runs import Table


def view(table: Table, name: str, **texts: str) -> ViewData:
    entry = table_entry("own", "Yours", table)
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
    entry = table_entry("own", "Yours", table)
    for each in entry.views.values():
        data = read_query(entry, each, {}).compute()
        drawn = draw_live(data, scheme="light", width_px=360)
        assert "nan" not in drawn.svg.replace("NaN", "")
