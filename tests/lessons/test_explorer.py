"""The explorer's addresses: what they show, the one that links have, and what is refused."""

import gzip
import json
import re
from dataclasses import replace
from html import escape, unescape

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
import yaml
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from posenc.registry import REGISTRY
from posenc.views import ViewData

from quizzes.lessons import explorer_view
from quizzes.lessons.explorer_address import explore
from quizzes.lessons.explorer_view import (
    FAMILIES,
    LOOKS,
    Look,
    family_of,
    rail,
    shared_controls,
    short_name,
)
from quizzes.lessons.figures.controls import Control, joined
from tests.course_folders import POSITIONAL

PATH = "/explore/"
VIEWS = [f"{entry.slug}/{view}" for entry in REGISTRY.values() for view in entry.views]


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.mark.slow
@pytest.mark.covering(most=8)
@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.django_db
def test_every_picture_has_all_its_parameters(client: Client, name: str) -> None:
    response = client.get(f"{PATH}?enc={name}")
    html = response.content.decode()
    slug, _, view = name.partition("/")
    entry = REGISTRY[slug]
    assert response.status_code == 200
    for parameter in (*entry.parameters, *entry.views[view].parameters):
        assert f'data-control="{parameter.name}"' in html
    assert html.count("data-control=") == len(entry.parameters + entry.views[view].parameters)
    assert "data-shared" not in html, "one picture has all of its sliders"
    assert f"https://arxiv.org/abs/{entry.source.removeprefix('arXiv:')}" in html


@pytest.mark.django_db
def test_three_side_by_side_keep_their_own_parameters(client: Client) -> None:
    query = "enc=rope/turns&enc=alibi/biases&enc=rope/turns&a.head_dim=32&b.n_heads=4&c.base=100"
    html = client.get(f"{PATH}?{query}").content.decode()
    assert html.count("data-compact") == 3
    assert re.findall(r'data-figure="(\w)"', html) == ["a", "c", "b"], (
        "those of an encoding stand together"
    )
    assert "head_dim 32, base 10\u202f000" in html
    assert "4 of 4 heads" in html
    assert "head_dim 64, base 100." in html
    for name, value in (("enc", "alibi/biases"), ("b.n_heads", "4")):
        assert html.count(f'<input type="hidden" name="{name}" value="{value}"') >= 2
    assert 'name="a.base.log10"' in html, "values that differ have a slider each"
    assert 'name="all.base.log10"' not in html


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("enc=rope", "enc=rope/scores"),
        ("enc=rope&head_dim=32", "enc=rope/scores&a.head_dim=32"),
        ("enc=rope&d_model=32", "enc=rope/scores&a.head_dim=32"),
        ("enc=rope&enc=sinusoidal&d_model=32", "enc=rope/scores&enc=sinusoidal/heatmap&"
         "a.head_dim=32&b.d_model=32"),
        ("d_model=64", "enc=sinusoidal/heatmap&a.d_model=64"),
        ("enc=rope/scores&a.head_dim=64", "enc=rope/scores"),
        ("enc=alibi/slopes&enc=", "enc=alibi/slopes"),
        ("a.base=1e3&enc=rope/turns", "enc=rope/turns&a.base=1000"),
        ("enc=rope/turns&a.base.log10=2", "enc=rope/turns&a.base=100"),
        ("enc=rope/turns&b.x=&utm_source=m", None),
        ("utm_source=m&enc=rope/turns", "enc=rope/turns&utm_source=m"),
        ("enc=rope/scores&enc=xpos&all.base.log10=2&b.base=7",
         "enc=rope/scores&enc=xpos/scores&a.base=100&b.base=100"),
        # A second encoding: as many pictures of both, and what the two have in common.
        ("enc=rope/turns&with=alibi", "enc=rope/turns&enc=alibi/penalties"),
        ("enc=rope/scores&a.distances=90&a.base=100&with=xpos",
         "enc=rope/scores&enc=xpos/scores&a.base=100&a.distances=90&b.base=100&b.distances=90"),
        ("enc=rope/scores&enc=rope/turns&enc=rope/arcs&c.length=9000&with=alibi",
         "enc=rope/scores&enc=rope/turns&enc=rope/arcs&enc=alibi/slopes&enc=alibi/penalties&"
         "enc=alibi/biases&c.length=9000&d.distances=256"),
        ("enc=rope/scores&with=alibi",
         "enc=rope/scores&enc=alibi/slopes&b.distances=256"),
        ("enc=rope/scores&enc=rope/turns&a.head_dim=32&b.head_dim=32&with=kerple",
         "enc=rope/scores&enc=kerple/bias&a.head_dim=32"),
        ("enc=rope/turns&enc=alibi/slopes&b.n_heads=3&with=shaw",
         "enc=rope/turns&enc=shaw/lookup"),
        ("enc=rope/turns&a.positions=9&with=rope", "enc=rope/turns&a.positions=9"),
        ("enc=rope/turns&a.base=100&show=rope",
         "enc=rope/scores&enc=rope/turns&enc=rope/arcs&enc=rope/padded&enc=rope/packed"
         "&a.base=100&b.base=100&c.base=100&d.base=100&e.base=100"),
        ("enc=rope/scores&enc=rope/turns&enc=alibi/slopes&b.positions=9&c.n_heads=3&show=rope/turns",
         "enc=rope/turns&enc=alibi/slopes&a.positions=9&b.n_heads=3"),
        ("enc=rope/turns&enc=alibi/slopes&b.n_heads=3&without=rope",
         "enc=alibi/slopes&a.n_heads=3"),
        ("with=rope", "enc=sinusoidal/heatmap&enc=rope/scores&a.d_model=50"),
    ],
)  # fmt: skip
@pytest.mark.django_db
def test_every_picture_has_one_address(client: Client, short: str, long: str | None) -> None:
    response = client.get(f"{PATH}?{short}")
    if long is None:
        assert response.status_code == 400
        return
    assert response.status_code == 302
    assert response["Location"] == f"{PATH}?{long}"
    assert response["Cache-Control"] == "no-store"
    final = client.get(response["Location"])
    assert final.status_code == 200
    assert f'<link rel="canonical" href="http://testserver{PATH}?' in final.content.decode()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("enc=ropee", "enc=ropee: must be one of alibi, cope,"),
        ("enc=rope/none", "enc=rope/none: rope can be drawn only as scores, turns, arcs"),
        ("enc=rope/", None),
        (
            "enc=alibi&base=3",
            "base=3: no picture here has this; they have form, head, n_heads",
        ),
        ("enc=rope&head_dim=7", "head_dim=7: must be even"),
        ("enc=rope/turns&a.head_dim=999999", "head_dim=999999: must be between"),
        ("enc=rope/turns&b.base=3", "b.base=3: this page has no figure “b”; expected a"),
        ("enc=rope/turns&a.nonsense=3", "nonsense=3: is not a parameter; there are base"),
        ("enc=%3Cscript%3E", "enc=&lt;script&gt;: must be one of"),
        ("&".join(["enc=rope"] * 7), "enc: names 7 pictures, but there is room for only 6"),
        ("enc=rope&with=ropee", "with=ropee: must be one of alibi, cope,"),
        ("enc=rope&show=rope/none", "show=rope/none: must be one of alibi, cope,"),
        ("enc=rope&without=alibi/slopes", "without=alibi/slopes: must be one of alibi, cope,"),
        ("enc=rope&enc=alibi&all.reach=3", "this page has no figure “all”; expected a, b"),
        ("enc=" + "x" * 5000, "enc=" + "x" * 40 + ": must be one of"),
    ],
)
@pytest.mark.django_db
def test_what_cannot_be_shown_is_named(client: Client, query: str, message: str | None) -> None:
    response = client.get(f"{PATH}?{query}", follow=True)
    html = response.content.decode()
    assert response.status_code == (400 if message else 200)
    assert (message or "") in html
    assert 'data-figure="a"' in html, "the rest is shown all the same"


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(
            [
                "enc",
                "a.base",
                "a.d_model",
                "b.n_heads",
                "all.base",
                "with",
                "show",
                "without",
                "x",
                "a.",
            ]
        ),
        st.lists(st.sampled_from([*VIEWS, "", "3", "1e9", "é&=+%", "\x00", "rope"]), min_size=1),
        max_size=4,
    )
)
def test_an_address_leads_to_itself(values: dict[str, list[str]]) -> None:
    """What is shown under the canonical address has that very address: no redirect goes on."""
    query = QueryDict(mutable=True)
    for name, texts in values.items():
        query.setlist(name, texts)
    first = explore(query)
    again = explore(QueryDict(first.address))
    assert again.address == first.address
    assert not again.faulty


@pytest.mark.django_db
def test_looking_changes_nothing_and_only_looking_is_allowed(client: Client) -> None:
    assert client.get(PATH)["Location"] == f"{PATH}?enc=sinusoidal/heatmap&a.d_model=50"
    response = client.get(PATH, follow=True)
    assert not response.cookies
    assert "20 positions × 50 dimensions" in response.content.decode()
    assert client.post(PATH).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.title)
def test_a_look_is_one_address(client: Client, look: Look) -> None:
    """It is no redirect, and its page marks it and says what to look at."""
    response = client.get(f"{PATH}?{look.query}")
    html = response.content.decode()
    assert response.status_code == 200
    marked = rf'aria-current="true">{escape(look.title)}</a>\s*<p>{escape(look.sentence)}</p>'
    assert re.search(marked, html)


def values_of(look: Look) -> list[ViewData]:
    """Return the numbers of a look's pictures."""
    return [slot.params.selection.compute() for slot in explore(QueryDict(look.query)).slots]


def test_looks_say_what_numbers_say() -> None:
    distance, small_base, long, every = map(values_of, LOOKS)
    waves, penalties = (np.diff(picture.values, axis=1) for picture in distance)
    assert (waves > 0).any(), "waves"
    assert (waves < 0).any(), "waves"
    assert (penalties > 0).all(), "more at every step"
    usual, small = (picture.values[0, 100:] for picture in small_base)
    assert usual.min() > 0
    assert small.mean() < 0
    sinusoidal = explore(QueryDict(LOOKS[2].query)).slots[0].params.selection
    turn = 2 * np.pi * sinusoidal.encoding.base ** (1 - 2 / sinusoidal.encoding.d_model)
    assert sinusoidal.arguments["positions"] < turn
    assert long[0].title
    assert "most with ALiBi" in every[0].finding
    assert re.search(r"\b2 of \d+ encodings do not change the score", every[0].finding)


@pytest.mark.parametrize("count", [14, 24])
def test_rail_has_every_encoding_once(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    entries = dict(list(REGISTRY.items())[:14])
    for number in range(14, count):
        entries[f"more{number}"] = replace(REGISTRY["kerple"], slug=f"more{number}")
    monkeypatch.setattr(explorer_view, "REGISTRY", entries)
    families = rail(explore(QueryDict("enc=rope/turns")))
    slugs = [encoding["slug"] for _, encodings in families for encoding in encodings]
    assert sorted(slugs) == sorted(entries)
    assert [
        encoding["slug"] for _, rows in families for encoding in rows if encoding["current"]
    ] == ["rope"]


def test_families_are_those_of_the_map() -> None:
    concepts = yaml.safe_load((POSITIONAL / "map.yaml").read_text())["concepts"]
    order = list(dict.fromkeys(concept["family"] for concept in concepts))
    for family in FAMILIES.values():
        assert order.index(family.name) + 1 == family.number
    names = {slug: family_of(entry).name for slug, entry in REGISTRY.items()}
    assert names["sinusoidal"] == "Add"
    assert names["rope"] == "Rotate"
    assert names["alibi"] == names["shaw"] == "Bias"
    assert names["nope"] == "None"


def test_rail_has_short_names() -> None:
    names = {slug: short_name(entry) for slug, entry in REGISTRY.items()}
    assert names["rope"] == "RoPE"
    assert names["sinusoidal"] == "Sinusoidal"
    assert names["learned"] == "Learned"
    assert names["nope"] == "No positional encoding"
    assert names["shaw"] == "Shaw's relative vectors"


def test_shared_slider_goes_as_far_as_all() -> None:
    slots = explore(QueryDict("enc=rope/scores&enc=xpos/scores&enc=alibi/slopes")).slots
    shared = shared_controls(slots)
    assert [slot.id for slot in shared["base"][1]] == ["a", "b"]
    assert "n_heads" not in shared, "only one picture has it"
    assert "distances" not in shared, "the pictures have different values"
    one, other = (control(text, high) for text, high in (("64", "256"), ("64", "128")))
    assert joined([one, other]).high == "128"
    assert joined([one, control("32", "256")]) is None
    assert joined([control("200", "256"), control("200", "128")]) is None


def control(text: str, high: str) -> Control:
    return Control("d", "d", "all.d", "range", text, text, low="2", high=high, step="2", at=text)


@pytest.mark.django_db
def test_thumbnails_are_one_file_for_ever(client: Client) -> None:
    page = client.get(PATH, follow=True).content.decode()
    addresses = set(re.findall(r'"(/figures/encodings-\w+\.svg\?v=[^"#]+)#', page))
    assert len(addresses) == 2, "one in each colour scheme"
    for address in addresses:
        response = client.get(address)
        assert response["Content-Type"] == "image/svg+xml"
        assert "immutable" in response["Cache-Control"]
        assert len(gzip.compress(response.content)) < 16_000
        named = re.findall(r'<view id="([\w-]+)"', response.content.decode())
        assert named == [slug for slug, entry in REGISTRY.items() if entry.views]
    assert client.get("/figures/encodings-light.svg?v=0")["Cache-Control"] == "no-store"
    assert client.get("/figures/encodings-pink.svg").status_code == 404


@pytest.mark.django_db
def test_pair_begins_at_one_height(client: Client) -> None:
    """What stands above a plot in its picture, and the room above the picture, add up alike."""
    for names in ("enc=rope/scores&enc=alibi/slopes", "enc=nope/compare&enc=rope/scores"):
        html = client.get(f"{PATH}?{names}").content.decode()
        lifts = [int(lift) for lift in re.findall(r'viewBox="0 0 360 (\d+)"', html)]
        plots = [
            json.loads(unescape(text)) for text in re.findall(r'data-geometry="([^"]*)"', html)
        ]
        tops = [plot["narrow"]["plot"][1] for plot in plots]
        assert abs(tops[0] - tops[1]) > 10, names
        assert abs(tops[0] + lifts[0] - tops[1] - lifts[1]) <= 1, names
    assert "data-lift" not in client.get(f"{PATH}?enc=rope/scores").content.decode()
