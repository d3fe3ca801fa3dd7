"""Thumbnails: one SVG for all, real plots without words, of every kind of picture."""

import re
from xml.etree import ElementTree

import pytest
from posenc.errors import ParameterError
from posenc.figures.thumbnails import HEIGHT, WIDTH, draw_thumbnails, is_of_one_colour
from posenc.registry import REGISTRY
from posenc.views import ViewData

SVG = "{http://www.w3.org/2000/svg}"


def data_of(name: str, **arguments: int) -> ViewData:
    slug, _, view = name.partition("/")
    entry = REGISTRY[slug]
    return entry.views[view].compute(entry.encoding(), **arguments)


def test_each_picture_has_a_place_of_its_own() -> None:
    names = ("sinusoidal/heatmap", "rope/scores", "rope/turns", "alibi/biases")
    pictures = {name.replace("/", "-"): data_of(name) for name in names}
    root = ElementTree.fromstring(draw_thumbnails(pictures, scheme="light"))
    views = {view.get("id"): view.get("viewBox") for view in root.iter(f"{SVG}view")}
    assert views == {
        name: f"0 {row * HEIGHT} {WIDTH} {HEIGHT}" for row, name in enumerate(pictures)
    }
    assert not list(root.iter(f"{SVG}text"))
    assert len(list(root.iter(f"{SVG}circle"))) == len(pictures["rope-turns"].values)


@pytest.mark.parametrize("name", [f"{e.slug}/{v}" for e in REGISTRY.values() for v in e.views])
def test_nothing_stands_outside_its_place(name: str) -> None:
    svg = draw_thumbnails(
        {"above": data_of("nope/equal-tokens"), "it": data_of(name)}, scheme="dark"
    )
    own = svg.partition('id="it"')[2]
    assert own.count("<") > 1
    for path in re.findall(r' d="([^"]*)"', own):
        points = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)
        assert len(points) <= 2 * WIDTH
        for x, y in points:
            assert 0 <= float(x) <= WIDTH
            assert HEIGHT <= float(y) <= 2 * HEIGHT


def test_thumbnail_shows_its_numbers() -> None:
    one, other = (data_of("rope/scores", distances=end) for end in (64, 65))
    same = data_of("rope/scores", distances=64)
    drawn = [draw_thumbnails({"it": data}, scheme="light") for data in (one, same, other)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert draw_thumbnails({"it": one}, scheme="dark") != drawn[0]


def test_flat_heatmap_is_of_one_colour() -> None:
    flat = data_of("sinusoidal/heatmap", positions=1)
    assert not is_of_one_colour(flat)
    assert is_of_one_colour(data_of("nope/equal-tokens", tokens=1))
    assert not is_of_one_colour(data_of("rope/scores"))


def test_unknown_scheme_is_named() -> None:
    with pytest.raises(ParameterError, match="scheme=pink: must be one of light, dark"):
        draw_thumbnails({}, scheme="pink")  # type: ignore[arg-type]
