"""The drawing of a map: prerequisites above, nothing over anything else, the same every time."""

import re
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from quizzes.concepts.layout import (
    GAP_ACROSS,
    MARGIN_ACROSS,
    MOST_IN_LAYER,
    NODE_HEIGHT,
    NODE_WIDTH,
    circle_in,
    lay_out,
    layers_of,
    path_down,
)
from tests.examples import examples

READABLE = float(re.search(r"READABLE = ([\d.]+)", Path("static/study/map.js").read_text())[1])
DIAMOND = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"], "e": ["a", "d"]}


@st.composite
def maps(draw):
    """Up to 40 concepts, each requiring some of those before it."""
    names = [f"c{number}" for number in range(draw(st.integers(1, 40)))]
    return {
        name: draw(st.lists(st.sampled_from(names[:place]), unique=True, max_size=3))
        if place
        else []
        for place, name in enumerate(names)
    }


@examples(30)
@given(maps())
def test_everything_required_stands_above(requires):
    drawing = lay_out(requires)
    for slug, needed in requires.items():
        for one in needed:
            assert drawing.nodes[one][1] + NODE_HEIGHT < drawing.nodes[slug][1]


@examples(30)
@given(maps())
def test_no_two_nodes_overlap_and_all_are_in_the_picture(requires):
    drawing = lay_out(requires)
    assert set(drawing.nodes) == set(requires)
    for (x0, y0), (x1, y1) in combinations(drawing.nodes.values(), 2):
        assert abs(x0 - x1) >= NODE_WIDTH or abs(y0 - y1) >= NODE_HEIGHT
    for x, y in drawing.nodes.values():
        assert NODE_WIDTH / 2 <= x <= drawing.width - NODE_WIDTH / 2
        assert NODE_HEIGHT / 2 <= y <= drawing.height - NODE_HEIGHT / 2
    rows: dict[float, set[float]] = {}
    for x, y in [*drawing.nodes.values(), *(one for *_, line in drawing.lines for one in line)]:
        rows.setdefault(y, set()).add(x)
    fullest = max(map(len, rows.values()))
    assert drawing.width <= fullest * (NODE_WIDTH + GAP_ACROSS) + 2 * MARGIN_ACROSS


def test_a_line_and_a_node_that_igraph_puts_into_one_place_are_set_apart():
    names = [f"c{number}" for number in range(15)]
    draw = Random(618)
    draw.randint(1, 25)
    requires = {
        name: draw.sample(names[:place], min(place, draw.randint(0, 3)))
        for place, name in enumerate(names)
    }
    drawing = lay_out(requires)
    (bends,) = [
        points[1:-1] for tail, head, points in drawing.lines if (tail, head) == ("c5", "c14")
    ]
    for x, y in bends:
        near = [node_x for node_x, node_y in drawing.nodes.values() if node_y == y]
        assert all(abs(node_x - x) > NODE_WIDTH / 2 for node_x in near)


@examples(30)
@given(maps())
def test_lines_join_what_they_say_and_pass_through_no_node(requires):
    drawing = lay_out(requires)
    assert {(tail, head) for tail, head, _ in drawing.lines} == {
        (needed, slug) for slug in requires for needed in requires[slug]
    }
    for tail, head, points in drawing.lines:
        assert points[0] == drawing.nodes[tail]
        assert points[-1] == drawing.nodes[head]
        for x, y in points[1:-1]:
            for node_x, node_y in drawing.nodes.values():
                assert node_y != y or abs(node_x - x) > NODE_WIDTH / 2


@examples(30)
@given(maps())
def test_the_same_map_is_drawn_the_same(requires):
    assert lay_out(requires) == lay_out(dict(requires))


def test_a_node_stands_one_layer_below_the_deepest_it_requires():
    assert layers_of(DIAMOND) == {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3}


def test_a_full_layer_leaves_the_ends_of_chains_below():
    needs = {"root": [], **{f"leaf{n}": ["root"] for n in range(8)}, "way": ["root"]}
    layers = layers_of({**needs, "goal": ["way"]})
    assert layers["way"] == 1
    assert sorted(layers.values()) == [0, *[1] * MOST_IN_LAYER, *[2] * 4]


def test_forty_concepts_are_as_narrow_as_a_window():
    draw = Random(4)
    names = [f"c{number}" for number in range(40)]
    needs = {name: draw.sample(names[:place], min(place, 2)) for place, name in enumerate(names)}
    assert lay_out(needs).width * READABLE <= 1280


def test_an_empty_map_is_an_empty_drawing():
    assert lay_out({}).nodes == {}


@pytest.mark.parametrize(
    ("requires", "circle"),
    [
        ({"a": ["b"], "b": ["a"]}, {"a", "b"}),
        ({"a": ["a"]}, {"a"}),
        ({"a": [], "b": ["c"], "c": ["d"], "d": ["b"]}, {"b", "c", "d"}),
    ],
)
def test_a_circle_is_named(requires, circle):
    found = circle_in(requires)
    assert set(found) == circle
    assert found[0] == found[-1]
    for slug, needed in pairwise(found):
        assert needed in requires[slug]


def test_no_circle_is_seen_where_there_is_none():
    assert circle_in(DIAMOND) == []


@pytest.mark.parametrize("course", ["positional-encodings", "attention-from-scratch"])
def test_a_shipped_map_fits_a_laptop_in_letters_one_can_read(course):
    """1280 x 800 px leave 680 below the headers; the smallest scale is READABLE of map.js."""
    concepts = yaml.safe_load(Path(f"quizzes/content/{course}/map.yaml").read_text())["concepts"]
    drawing = lay_out({one["slug"]: one.get("requires", []) for one in concepts})
    assert 16 * READABLE >= 12  # the letters of a node, static/css/map.css
    assert drawing.width * READABLE <= 1280
    assert drawing.height * READABLE <= 680


def test_a_line_passes_a_layer_straight_down():
    path = path_down([[10, 30], [50, 130], [90, 230]], half_height=20)
    assert "50 110V150C" in path


def test_a_line_leaves_at_the_foot_and_arrives_at_the_head():
    path = path_down([[10, 30], [50, 130]], half_height=20)
    assert path.startswith("M10 50")
    assert path.endswith("50 110")
