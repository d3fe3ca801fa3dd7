"""Plots before anything runs: headers, what blocks say of them, frames as they are checked."""

import json
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies as st
from posenc.figures.live import draw_live

from quizzes.content_files.files import MemoryFiles
from quizzes.lessons.plots import plot_prelude
from quizzes.lessons.plots.frames import packed, read_frame, scales_of, unpacked, view_of
from quizzes.lessons.plots.plot_files import (
    plot_block_problems,
    plot_from,
    plots_named,
    read_place,
    read_plots,
)
from quizzes.pages.blocks import page_problems, parse_page
from tests.examples import examples

PROBABILITY = Path(__file__).parent / "probability"
PLOT = 'def plot({0}):\n    return bars([1, 2], [1, {1}], title="T")\n'


def header(*lines: str) -> str:
    return '"""A title\n\n' + "\n".join(lines) + '\n"""\n'


def faults(text: str) -> list[str]:
    problems = read_plots(MemoryFiles("course", {"plots/coin.py": text}))[1]
    return [str(problem) for problem in problems]


def test_a_header_gives_sliders_with_all_their_values() -> None:
    text = header("Slider n: 2 to 8 step 2", "Slider p: 0.1, 0.2, 0.3", "Slider how: sum, mean")
    plot = plot_from("coin", text + PLOT.format("n, p, how", 1), [], path="plots/coin.py")
    assert [slider.values for slider in plot.header.sliders] == [
        (2, 4, 6, 8),
        (0.1, 0.2, 0.3),
        ("sum", "mean"),
    ]
    assert [slider.step for slider in plot.header.sliders] == [2, 0.1, 0]
    places = plot.header.places()
    assert plot.header.frames == len(places) == 24
    assert [plot.header.number_of(place) for place in places] == list(range(24))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("def plot(:", "coin.py:1: the program cannot be read"),
        (PLOT.format("", 1), 'coin.py:1: must begin with a """docstring"""'),
        ('"""\n"""\n' + PLOT.format("", 1), "coin.py:1: the first line must be the plot's title"),
        (header() + "x = 1\n", "coin.py:1: must define plot()"),
        (header("Slider n: 1 to 3") + PLOT.format("m", 1), "coin.py:5: plot takes (m), but"),
        (header("Slider n: 3 to 1") + PLOT.format("n", 1), "coin.py:3: Slider n: 3 to 1: the sec"),
        (header("Slider n: 1 to 2 step 0") + PLOT.format("n", 1), "coin.py:3: Slider n: step 0"),
        (header("Slider n: 0 to 1 step 0.3") + PLOT.format("n", 1), "no whole number of steps"),
        (header("Slider n: nan to 3") + PLOT.format("n", 1), "coin.py:3: Slider n: 'nan'"),
        (
            header("Slider n: 1, 1.0, 2") + PLOT.format("n", 1),
            "coin.py:3: Slider n: has a value tw",
        ),
        (header("Slider n: 1 to") + PLOT.format("n", 1), "coin.py:3: Slider n: '1 to': expected"),
        (header("Slider row: 1 to 3") + PLOT.format("row", 1), "this name is taken by the page"),
        (header("Slider N: 1 to 3") + PLOT.format("N", 1), "must be a name in Python"),
        (header("Slider n: 1 to 401") + PLOT.format("n", 1), "401 = 401 frames, at most 400"),
        (header("Slider n: 1 to 900") + PLOT.format("n", 1), "has more than 400 values"),
        (
            header("Slider n: 1 to 21", "Slider m: 1 to 20") + PLOT.format("n, m", 1),
            "coin.py:1: the sliders have 21 × 20 = 420 frames, at most 400 are allowed",
        ),
        (
            header(*(f"Slider {name}: 1, 2" for name in "abcd")) + PLOT.format("a, b, c, d", 1),
            "coin.py:1: 4 sliders, at most 3 are allowed",
        ),
        (header() + "x = 1\n\0", "contains a NUL"),
    ],
)
def test_a_fault_of_a_file_has_its_line(text: str, fault: str) -> None:
    assert any(fault in said for said in faults(text)), faults(text)


def test_only_files_with_slugs_are_plots() -> None:
    texts = {"plots/Not A Slug.py": "", "plots/data.csv": "", "plots/fine.py": header() + "1"}
    problems = read_plots(MemoryFiles("course", texts))[1]
    assert [problem.path for problem in problems] == [
        "plots/Not A Slug.py",
        "plots/data.csv",
        "plots/fine.py",
    ]


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ("slug: coin\nset: {n: 5}", "a.md:4: set: n=5: must be 2 to 8 in steps of 2"),
        ("slug: coin\nset: {m: 2}", "set: m=2: the plot has no such slider; it has n"),
        ("slug: coin\nsliders: [m]", "sliders: 'm': the plot has no such slider; it has n"),
        ("slug: coin\nsliders: []\nset: [n]", "set: must be a mapping"),
        ("slug: coin\nwords: true", "words: unknown field"),
        ("slug: Coin", "slug: 'Coin': must be a slug"),
    ],
)
def test_a_fault_of_a_block_is_named(block: str, fault: str) -> None:
    page = parse_page(f"```plot\nid: a\n{block}\n```\n", path="a.md")
    plot = plot_from("coin", header("Slider n: 2 to 8 step 2"), [], path="")
    problems = [*page_problems(page), *plot_block_problems(page, {"coin": plot.header})]
    assert any(fault in str(problem) for problem in problems), problems


def test_words_of_text_move_a_plot() -> None:
    text = "[five]{{set n={0}}}\n\n```plot\nid: a\nslug: coin\n```\n"
    heads = {"coin": plot_from("coin", header("Slider n: 2 to 8 step 2"), [], path="").header}
    assert not [*plot_block_problems(parse_page(text.format(4), path="a.md"), heads)]
    (fault,) = plot_block_problems(parse_page(text.format(5), path="a.md"), heads)
    assert (fault.line, fault.message) == (1, "set n=5: must be 2 to 8 in steps of 2")
    shows = parse_page(text.replace("{{set n={0}}}", "{show row=1}"), path="a.md")
    assert "cells of a plot cannot be outlined" in str(page_problems(shows)[0])


def test_plots_of_text_are_named_however_written() -> None:
    text = "```plot\nid: a\nslug: one\n```\n\n```figure\nslug: no\n```\n\n"
    text += "```plot\nid: b\nslug: two\n```\n"
    assert plots_named(text) == ["one", "two"]
    for block in (
        '```plot\nid: a\nslug: "coin"\n```\n',
        "```plot\nid: a\nslug: 'coin'\n```\n",
        "````plot\nid: a\nslug: coin\n````\n",
        "~~~plot\nid: a\nslug: coin\n~~~\n",
        "``` plot\nid: a\nslug: coin\n```\n",
        "```plot\n{id: a, slug: coin}\n```\n",
    ):
        assert plots_named(block) == ["coin"], block
    assert plots_named("````text\n```plot\nid: a\nslug: coin\n```\n````\n") == []


@pytest.mark.parametrize("head", ["rows", "columns", "xs", "low", "high"])
def test_frame_without_a_head_is_refused(head: str) -> None:
    with pytest.raises(ValueError, match=f"{head}: missing"):
        frame_of({name: value for name, value in GOOD.items() if name != head})


def test_heatmap_with_numbers_of_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="xs: a heatmap has names of columns"):
        frame_of({**GOOD, "kind": "heatmap", "xs": list(range(len(GOOD["values"][0])))})


@pytest.mark.parametrize("name", ["self", "encoding"])
def test_slider_cannot_have_a_name_of_every_view(name: str) -> None:
    text = f'"""T\n\nSlider {name}: 1 to 3\n"""\n\n\ndef plot({name}):\n    return 1\n'
    assert any(name in fault for fault in faults(text))


@hypothesis.given(st.text(max_size=40))
@examples(60)
def test_any_address_names_a_place_or_none(text: str) -> None:
    plot = plot_from("coin", header("Slider n: 0.1 to 0.9 step 0.2"), [], path="")
    place = read_place(plot.header.sliders[0], text)
    assert place is None or plot.header.sliders[0].values[place] == pytest.approx(float(text))


# ---- frames


def frame_of(plain):
    return read_frame(json.dumps(plain, allow_nan=False))


NUMBERS = st.one_of(st.none(), st.floats(-1e12, 1e12), st.integers(-3, 3))
ROWS = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(NUMBERS, min_size=width, max_size=width), min_size=1, max_size=4
    )
)


@hypothesis.given(ROWS, st.sampled_from(["heatmap", "curves", "bars", "points"]), st.booleans())
@examples(80)
def test_any_numbers_are_stored_and_drawn(rows, kind: str, named: bool) -> None:
    xs = list(range(len(rows[0])))
    if kind == "heatmap":
        plain = plot_prelude.heatmap(rows, title="T", x="a", y="b")
    else:
        across = [f"name {x}" for x in xs] if named and kind == "bars" else xs
        series = {f"s{at}": row for at, row in enumerate(rows)}
        plain = getattr(plot_prelude, kind)(across, series, title="T")
    frame = unpacked(packed(frame_of(plain)))
    for width in (720, 360):
        picture = draw_live(view_of(frame, scales_of([frame])), width_px=width)
        assert "nan" not in picture.svg
        assert picture.alt.startswith("T.")


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda p: p.heatmap([[1, 2], [3]], title="T"), "rows have from 1 to 2 numbers"),
        (lambda p: p.heatmap([[1, float("nan")]], title="T"), "values: row 0, number 1 is nan"),
        (lambda p: p.heatmap([[1, 1e13]], title="T"), "at most 1e12"),
        (lambda p: p.heatmap([], title="T"), "values: is empty"),
        (lambda p: p.heatmap(3, title="T"), "values: expected rows of numbers"),
        (lambda p: p.heatmap([["a"]], title="T"), "'a': expected a number"),
        (lambda p: p.heatmap([[0] * 300] * 200, title="T"), "60000 numbers, at most 40000"),
        (lambda p: p.heatmap([[1]], title="T", rows=["a", "b"]), "rows: 2 names, expected 1"),
        (lambda p: p.heatmap([[1]], title="T", colour="red"), "unknown argument 'colour'"),
        (lambda p: p.heatmap([[1]], title=" "), "title: ' ': expected a sentence"),
        (lambda p: p.curves([1, 2], [1], title="T"), "ys: 1 numbers, but there are 2 xs"),
        (lambda p: p.curves([2, 1], [1, 1], title="T"), "xs: must grow"),
        (lambda p: p.bars([1, 2], {}, title="T"), "ys: 0 series: expected one to six"),
        (
            lambda p: p.panels(p.bars([1], [1], title="T"), title="T"),
            "1 plots: expected two to six",
        ),
        (lambda p: p.panels({}, {}, title="T"), "panels: expected heatmap(...)"),
    ],
)
def test_a_wrong_call_is_refused_by_name(make, fault: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        make(plot_prelude)
    assert fault in str(refused.value)


GOOD = plot_prelude.bars([1, 2], [1, 2], title="T")


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "circles"},
        {"kind": "panels", "panels": [GOOD], "beside": 2},
        {"kind": "panels", "panels": [GOOD] * 9, "beside": 2},
        {"kind": "panels", "panels": [GOOD, GOOD], "beside": 9},
        {"title": ""},
        {"title": "T" * 201},
        {"title": "a\nb"},
        {"title": "\u202eT"},
        {"says": 3},
        {"values": []},
        {"values": [[1], [2, 3]]},
        {"values": [[1, True]]},
        {"values": [[1, 1e300]]},
        {"values": [[1, "2"]]},
        {"values": [[0] * 50_000], "xs": list(range(50_000)), "columns": None},
        {"xs": [1]},
        {"xs": [2, 1]},
        {"rows": ["a", "b"]},
        {"rows": ["a" * 41]},
        {"low": 2, "high": 1},
        {"low": "x"},
    ],
)
def test_a_forged_frame_is_refused(change) -> None:
    frame_of(GOOD)
    with pytest.raises(ValueError, match=r"."):
        frame_of({**GOOD, **change})


@pytest.mark.parametrize("text", ["", "[" * 100_000, "3", "null", '{"kind": "bars"}', "9" * 9000])
def test_a_forged_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_frame(text)


def test_panels_with_two_keys_are_refused() -> None:
    first = plot_prelude.bars([1], {"a": [1], "b": [2]}, title="T")
    other = plot_prelude.curves([1], {"a": [1], "c": [2]}, title="T")
    with pytest.raises(ValueError, match="share one key"):
        frame_of(plot_prelude.panels(first, other, title="T"))


def test_axes_stay_as_a_slider_moves() -> None:
    frames = [frame_of(plot_prelude.bars([1, 2], [0, top], title="T")) for top in (1, 9)]
    limits = {view_of(frame, scales_of(frames)).y.limits for frame in frames}
    assert limits == {(0.0, 10.0)}
