"""Own numbers in the explorer: next to encodings, with shared sliders, and refused to others."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from django.conf import settings
from django.test import Client
from posenc.figures.live import draw_live
from posenc.query import read_query

from quizzes.exercises.runs.code_figure import initial_selection, place_of
from quizzes.exercises.runs.samples import sample_facts
from quizzes.grader.programs import Sample
from quizzes.study.code_figures.pictures import drawable
from quizzes.study.lab.numbers import TABLE, figure_entry, run_slug
from tests import factories
from tests.shipped_exercises.folders import definition_of
from tests.study.lab.lab_runs import a_table, page_of, run, share

pytestmark = [pytest.mark.django_db(transaction=True)]
EXPLORE = "/explore/"
FIGURES = sorted(
    path.parent.name
    for path in Path(settings.COURSE, "exercises").glob("*/exercise.yaml")
    if "\nfigure:" in path.read_text()
)


@pytest.fixture
def browser() -> Client:
    return factories.create_browser("ada")


def test_own_numbers_stand_next_to_an_encoding(browser: Client) -> None:
    slug = run_slug(run(browser, a_table()))
    text = browser.get(f"{EXPLORE}?enc={slug}/heatmap&enc=rope/scores", follow=True)
    page = text.content.decode()
    assert (text.status_code, text["Cache-Control"]) == (200, "no-store")
    for title in ("The code of each position", "Dot products of all positions"):
        assert title in page
    assert "Yours (n = 8, d = 4)" in page
    assert "Invent your own in the lab" in page


def test_compare_puts_an_encoding_next_to_own_numbers(browser: Client) -> None:
    slug = run_slug(run(browser, a_table()))
    answer = browser.get(f"{EXPLORE}?enc={slug}/heatmap&with=sinusoidal")
    assert f"enc={slug}/heatmap&enc=sinusoidal/heatmap" in answer["Location"]
    assert "b.positions=8" in answer["Location"]  # carried, so that one slider moves both


def test_two_runs_have_names_of_their_own(browser: Client) -> None:
    slugs = [run_slug(run(browser, a_table(n))) for n in (8, 9)]
    page = browser.get(f"{EXPLORE}?enc={slugs[0]}/heatmap&enc={slugs[1]}/heatmap").content.decode()
    for n in (8, 9):
        assert f"Views of Yours (n = {n}, d = 4)" in page
    assert "just now" in page
    assert "your newest 8 are kept, for at most an hour" in page


def test_slider_of_own_numbers_is_shared(browser: Client) -> None:
    link = browser.get(page_of(run(browser, a_table()))).content.decode()
    query = link.split(f'href="{EXPLORE}?')[1].split('"')[0].replace("&amp;", "&")
    assert 'name="all.positions"' in browser.get(f"{EXPLORE}?{query}", follow=True).content.decode()


def test_run_in_an_address_is_refused_to_others(browser: Client) -> None:
    slug = run_slug(run(browser, a_table()))
    for key in ("enc", "with", "show"):
        for other in (Client(), factories.create_browser(f"not-ada-{key}")):
            answer = other.get(f"{EXPLORE}?{key}={slug}")
            assert answer.status_code == 400
            assert "These numbers of a Run are gone" in answer.content.decode()
            assert "no figure" not in answer.content.decode()


def test_shared_numbers_are_open_to_all(browser: Client) -> None:
    row = share(browser, run(browser, a_table()), name="my <waves>")
    answer = Client().get(f"{EXPLORE}?enc=shared-{row.token}/reach")
    assert answer.status_code == 200
    assert "my &lt;waves&gt;" in answer.content.decode()


@pytest.mark.parametrize("slug", FIGURES)
def test_numbers_of_each_figure_can_be_drawn(slug: str) -> None:
    """A table has all views of a table, any other figure its own."""
    definition = definition_of(slug)
    figure = definition.figure
    assert figure is not None
    start = initial_selection(figure)
    cells = start.compute().values
    result = Sample((cells,), ("",))
    stored = sample_facts(next(iter(figure.sliders)), [place_of(start)], [cells.shape])  # type: ignore[list-item]
    facts = {"outcome": result.as_json(), "picture": result.picture, "sample": stored}
    against = SimpleNamespace(definition=definition)
    run = SimpleNamespace(**facts, against=against, submission=SimpleNamespace(graded_at=1))
    entry = figure_entry(SimpleNamespace(run=run), "own", 0, "Yours")  # type: ignore[arg-type]
    is_table = (figure.encoding, figure.view) == TABLE
    assert len(entry.views) == (4 if is_table else 1)
    data = read_query(entry, entry.views[figure.view], {}).compute()
    shown = data.values if is_table else drawable(cells)
    assert np.allclose(shown, drawable(cells), equal_nan=True)
    assert draw_live(data, scheme="dark", width_px=360).svg


@pytest.mark.parametrize(
    ("shown", "other", "pairs"),
    [
        ("heatmap", "rope", ["shift", "scores"]),
        ("reach", "rope", ["reach", "scores"]),
        ("heatmap", "alibi", ["heatmap", "penalties"]),
        ("heatmap", "sinusoidal", ["heatmap", "heatmap"]),
        ("heatmap", "t5_bias", ["shift", "staircase"]),
        ("heatmap", "shaw", ["shift", "clip"]),
    ],
)
def test_compare_opens_views_of_a_kind(
    browser: Client, shown: str, other: str, pairs: list[str]
) -> None:
    slug = run_slug(run(browser, a_table()))
    answer = browser.get(f"{EXPLORE}?enc={slug}/{shown}&with={other}")
    mine, theirs = pairs
    assert f"?enc={slug}/{mine}&enc={other}/{theirs}" in answer["Location"]
    assert browser.get(answer["Location"]).status_code == 200


def test_rail_says_what_plus_replaces(browser: Client) -> None:
    slug = run_slug(run(browser, a_table()))
    text = browser.get(f"{EXPLORE}?enc={slug}/heatmap").content.decode()
    assert "puts it next to the one shown" in text
    text = browser.get(f"{EXPLORE}?enc={slug}/heatmap&enc=sinusoidal/heatmap").content.decode()
    assert "in place of <bdi>Sinusoidal</bdi>" in text
    assert 'title="Compare, in place of Sinusoidal"' in text


@pytest.mark.parametrize("shape", [(8, 4), (256, 256)])
def test_rail_has_a_thumbnail_of_own_numbers(browser: Client, shape: tuple[int, int]) -> None:
    slug = run_slug(run(browser, a_table(*shape)))
    text = browser.get(f"{EXPLORE}?enc={slug}/heatmap").content.decode()
    own = text.split('aria-current="true"')[1].split("</li>")[0]
    assert "data:image/svg+xml," in own
