"""The explorer's addresses: what they show, the one that links have, and what is refused."""

import re

import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from posenc.registry import REGISTRY

from quizzes.lessons.explorer_view import TOURS, explore

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
    assert f'<option value="{name}" selected>' in html
    assert f"https://arxiv.org/abs/{entry.source.removeprefix('arXiv:')}" in html


@pytest.mark.django_db
def test_three_side_by_side_keep_their_own_parameters(client: Client) -> None:
    query = "enc=rope/turns&enc=alibi/biases&enc=rope/turns&a.head_dim=32&b.n_heads=4&c.base=100"
    html = client.get(f"{PATH}?{query}").content.decode()
    assert html.count("data-compact") == 3
    assert re.findall(r'data-figure="(\w)"', html) == ["a", "b", "c"]
    assert "head_dim 32, base 10\u202f000" in html
    assert "4 of 4 heads" in html
    assert "head_dim 64, base 100." in html
    for name, value in (("enc", "alibi/biases"), ("b.n_heads", "4")):
        assert html.count(f'<input type="hidden" name="{name}" value="{value}"') >= 2


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
        ("enc=rope/turns&a.positions=9&was=rope/turns&was=alibi/slopes&b.n_heads=3&enc=shaw/clip",
         "enc=rope/turns&enc=shaw/clip&a.positions=9"),
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
        ("enc=rope/turns&b.base=3", "b.base=3: no such figure on this page; it has a"),
        ("enc=rope/turns&a.nonsense=3", "nonsense=3: is not a parameter; there are base"),
        ("enc=%3Cscript%3E", "enc=&lt;script&gt;: must be one of"),
        ("&".join(["enc=rope"] * 4), "enc: names 4 pictures, but there is room for only 3"),
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
            ["enc", "a.base", "a.d_model", "b.n_heads", "base", "was", "x", "q.y", "a."]
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


def test_what_is_worth_a_look_is_there() -> None:
    for _, names in TOURS:
        assert set(names) <= set(VIEWS)
