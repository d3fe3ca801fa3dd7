"""Pictures of the sinusoidal code that are more than its table: groups, rows, neighbours."""

import math
from itertools import pairwise

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.sinusoidal.behind_a_row import row_ranges
from posenc.registry import REGISTRY

VIEWS = REGISTRY["sinusoidal"].views
LAYOUTS = st.sampled_from(["interleaved", "concatenated"])
GRIDS = st.sampled_from(["paper", "tensor2tensor"])


@given(st.integers(2, 60), LAYOUTS, GRIDS)
def test_grouped_columns_are_the_same_columns_sines_first(d_model, layout, grid):
    encoding = Sinusoidal(d_model=d_model, layout=layout, grid=grid)
    grouped = VIEWS["heatmap"].compute(encoding, group="sine-cosine", dimension=1, position=2)
    dimensions = [int(name) for name in grouped.column_names]
    assert sorted(dimensions) == list(range(d_model))
    np.testing.assert_array_equal(grouped.values, encoding.table(20)[:, dimensions])
    waves = [encoding.column(dimension)[0] for dimension in dimensions]
    assert waves == sorted(waves, key=["sine", "cosine", "zero"].index)
    assert dimensions[grouped.cursor[1]] == 1
    ends = [(zone.low, zone.high) for zone in grouped.zones]
    assert ends[0][0] == -0.5
    assert ends[-1][1] == d_model - 0.5
    assert all(before[1] == after[0] for before, after in pairwise(ends))


@given(
    st.integers(2, 24), LAYOUTS, GRIDS, st.floats(1, 1e5), st.integers(1, 400), st.integers(1, 90)
)
def test_the_range_of_a_row_is_that_of_all_its_positions(
    d_model, layout, grid, base, positions, behind
):
    encoding = Sinusoidal(d_model=d_model, layout=layout, grid=grid, base=base)
    table = encoding.table(positions)
    by_hand = [
        np.ptp(table[start : start + behind], axis=0) for start in range(0, positions, behind)
    ]
    np.testing.assert_allclose(row_ranges(encoding, positions, behind), by_hand, atol=1e-11)


def test_the_lens_shows_the_positions_behind_its_row():
    encoding = Sinusoidal(d_model=50)
    data = VIEWS["behind-a-row"].compute(encoding, row=100)
    ranges, lens, kept = data.panels
    assert ranges.values.shape == (672, 50)
    np.testing.assert_array_equal(lens.values, encoding.table(67, start=6700))
    np.testing.assert_allclose(np.ptp(lens.values, axis=0), ranges.values[100], atol=1e-11)
    assert "67 positions behind every row" in data.subtitle
    assert "positions 6\u202f700 to 6\u202f766" in data.finding
    zones = [(zone.low, zone.high) for zone in ranges.zones]
    assert zones == [(-0.5, 17.5), (17.5, 23.5), (23.5, 49.5)]
    assert kept.values[0, 0] == pytest.approx(0.0256, abs=2e-3)
    assert kept.values[0, 24:].min() >= 0.97


@pytest.mark.parametrize("base", [1, 100, 10_000, 1e6])
@pytest.mark.parametrize("d_model", [2, 4, 50, 512])
def test_slow_dimensions_are_called_gentle_where_none_of_them_moves_far(d_model, base):
    encoding = Sinusoidal(d_model=d_model, base=base)
    data = VIEWS["large-indexes"].compute(encoding)
    shown = [int(name.removeprefix("dimension ")) for name in data.row_names]
    table = encoding.table(100)[:, shown]
    moved = np.abs(table - table[0]).max(axis=0)
    assert ("gentle slopes" in data.title) == (moved.max() < 0.5)
    told = {shown[0]: moved[0], shown[-1]: moved[-1]}
    for dimension, by in told.items():
        assert data.finding.count(f"dimension {dimension} moves by {by:.3f}") == 1


def test_the_last_row_may_be_shorter_and_a_row_beyond_it_shows_it():
    data = VIEWS["behind-a-row"].compute(Sinusoidal(d_model=8), positions=1000, row=671)
    _, lens, _ = data.panels
    assert lens.values.shape == (2, 8)
    np.testing.assert_array_equal(lens.values, Sinusoidal(d_model=8).table(2, start=998))


def test_the_profile_is_the_first_row_of_the_map():
    profiles, the_map = VIEWS["similarity"].compute(Sinusoidal(d_model=128), positions=40).panels
    np.testing.assert_array_equal(profiles.values[0], the_map.values[0])
    assert profiles.series == ("d_model 128", "d_model 20", "d_model 512")
    codes = Sinusoidal(d_model=20).table(40)
    np.testing.assert_allclose(profiles.values[1], codes @ codes[0] / 10, atol=1e-12)


def test_a_width_that_is_asked_for_twice_has_one_panel():
    data = VIEWS["widths"].compute(Sinusoidal(d_model=50), positions=30, narrow=20, middle=50)
    assert [panel.title.partition(":")[0] for panel in data.panels] == ["d_model 20", "d_model 50"]
    assert len(set(data.row_names)) == len(data.row_names) == len(data.values) == 8
    alone = VIEWS["widths"].compute(Sinusoidal(d_model=50), positions=30, narrow=50, middle=50)
    assert len(alone.panels) == 1


@given(st.integers(2, 60), LAYOUTS, GRIDS, st.floats(1, 1e5), st.integers(1, 90))
def test_hands_point_at_sines_and_cosines_of_columns(d_model, layout, grid, base, positions):
    encoding = Sinusoidal(d_model=d_model, layout=layout, grid=grid, base=base)
    data = VIEWS["hands"].compute(encoding, positions=positions)
    assert data.values.shape == (min(len(encoding.inv_freq), 4), positions)
    ends = {"cosine": np.cos(data.values), "sine": np.sin(data.values)}
    table = encoding.table(positions)
    for dimension in range(d_model):
        wave, pair = encoding.column(dimension)
        if pair < len(data.values) and wave != "zero":
            np.testing.assert_allclose(ends[wave][pair], table[:, dimension], atol=1e-9)


@given(st.integers(2, 60), LAYOUTS, GRIDS, st.floats(1, 1e5), st.integers(2, 300))
def test_bits_stand_beside_pairs_of_code(d_model, layout, grid, base, positions):
    encoding = Sinusoidal(d_model=d_model, layout=layout, grid=grid, base=base)
    data = VIEWS["bits"].compute(encoding, positions=positions)
    table = encoding.table(positions)
    named = dict(zip(data.column_names, data.values.T, strict=True))
    written = [format(position, "b")[::-1] for position in range(positions)]
    count = len(written[-1])
    for bit in range(count):
        expected = [int(bit < len(digits) and digits[bit] == "1") for digits in written]
        assert named.pop(f"bit {bit}").tolist() == expected
    shown = [encoding.column(dimension) for dimension in range(d_model)]
    for dimension, (wave, pair) in enumerate(shown):
        if pair < count and wave != "zero":
            drawn = named.pop(f"{wave} of pair {pair}")
            np.testing.assert_allclose(drawn, table[:, dimension], atol=1e-9)
    assert named == {}
    assert len(data.x.ticks) == len(data.x.tick_labels) <= 20
    changes = [
        sum(bit in "1" for bit in format(position ^ (position + 1), "b"))
        for position in range(positions - 1)
    ]
    assert data.summary["bits_that_change"] == max(changes)
    assert f"From position {changes.index(max(changes))} to " in data.finding


def test_bits_jump_where_codes_of_neighbours_do_not():
    encoding = Sinusoidal(d_model=8, base=16)
    data = VIEWS["bits"].compute(encoding, positions=17)
    assert data.finding == (
        "From position 15 to 16, 5 bits change. The codes of any two neighbours are 1.11 apart."
    )
    assert data.subtitle == "5 bits, bit 0 first, then 4 pairs: 1, 0.5, 0.25, 0.125 rad/step."
    apart = math.sqrt(sum(2 - 2 * math.cos(0.5**pair) for pair in range(4)))
    assert data.summary["shortest_step"] == pytest.approx(apart, abs=1e-12)
    assert data.summary["longest_step"] == pytest.approx(apart, abs=1e-12)
    assert data.x.ticks == (0, 1, 2, 3, 4, 5.5, 7.5, 9.5, 11.5)
    assert data.x.tick_labels == ("0", "1", "2", "3", "4", "0", "1", "2", "3")
    odd = VIEWS["bits"].compute(Sinusoidal(d_model=3, base=2.0), positions=3)
    speed = 2 ** (-2 / 3)  # of the last pair, which has only its sine
    last = [math.sin(speed * position) for position in range(3)]
    lengths = [math.hypot(2 * math.sin(0.5), after - before) for before, after in pairwise(last)]
    assert [f"{length:.2f}" for length in lengths] == ["1.13", "1.03"]
    assert odd.finding.endswith("The codes of any two neighbours are 1.03 to 1.13 apart.")


def test_hands_say_how_far_they_turned():
    data = VIEWS["hands"].compute(Sinusoidal(d_model=4), positions=7)
    assert data.series == ("hand 0: 1 rad/step", "hand 1: 0.01 rad/step")
    assert data.finding == (
        "By position 6, hand 0 has turned 0.955 times and hand 1 has turned 0.00955 times."
    )
    wide = VIEWS["hands"].compute(Sinusoidal(d_model=6), positions=24).finding
    assert wide == (
        "By position 23, hand 0 has turned 3.66 times, hand 1 has turned 0.17 times "
        "and hand 2 has turned 0.00789 times."
    )
    assert data.subtitle == "Positions 0 to 6, the last one bold."
    first = VIEWS["hands"].compute(Sinusoidal(d_model=4), positions=1).subtitle
    assert first == "Position 0, bold."


@given(st.integers(2, 60), GRIDS, st.floats(1, 1e5), st.integers(0, 999), st.integers(1, 99))
def test_arrows_have_dot_product_of_first_pair(d_model, grid, base, position, offset):
    encoding = Sinusoidal(d_model=d_model, grid=grid, base=base)
    data = VIEWS["arrows"].compute(encoding, position=position, offset=offset)
    pair = encoding.table(offset + 1, start=position)[[0, -1], :2]
    np.testing.assert_allclose(
        np.stack([np.sin(data.values[0]), np.cos(data.values[0])], axis=1), pair, atol=1e-9
    )
    assert data.summary["product"] == pytest.approx(pair[0] @ pair[1], abs=1e-9)


def test_arrows_say_their_angle_and_product():
    data = VIEWS["arrows"].compute(Sinusoidal(d_model=4), position=3, offset=5)
    assert data.subtitle == "Positions 3, thin, and 8, bold: the first pair of their codes."
    assert data.finding == ("The angle between them is 5. Their dot product is its cosine, 0.2837.")
    moved = VIEWS["arrows"].compute(Sinusoidal(d_model=4), position=60, offset=5)
    assert moved.finding == data.finding
    apart = VIEWS["arrows"].compute(Sinusoidal(d_model=4), position=3, offset=3).finding
    assert apart.endswith("its cosine, −0.9900.")
