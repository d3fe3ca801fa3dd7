"""Numbers of an exercise's figure at a link: the learner's alone, and not while work counts it."""

from datetime import timedelta
from html import unescape
from urllib.parse import unquote

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone
from posenc.query import Selection

from quizzes.exercises.models import Exercise, SharedNumbers, Submission
from quizzes.exercises.runs.code_figure import initial_selection, moved, place_of
from quizzes.grader.judge.report import Report, Verdict
from quizzes.study.code_figures.pictures import Pictures, PlacePicture, drawable
from quizzes.study.lab.numbers import numbers_at, read_shared, shared_figure, shared_slug
from quizzes.study.lab.panels import figure_query
from quizzes.study.lab.sharing import with_titles
from tests import factories
from tests.exercises import making
from tests.exercises.asking import PAGE, graded
from tests.shipped_exercises.folders import definition_of
from tests.study.lab.lab_runs import LAB, a_table, run, share
from tests.study.lab.test_explorer import FIGURES
from tests.study.test_code_figures import FIGURE, facts, newest, record, send, tables

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def exercise() -> Exercise:
    return making.ready_exercise()


def try_once(browser: Client) -> Submission:
    """Grade a Check and run the figure, each number a quarter too large."""
    graded(Report(Verdict.WRONG), kind="check", client=browser)
    send(browser)
    return record(newest(), tables(newest(), lambda table: table + 0.25))


def page_of(row: Submission, place: int = 3) -> str:
    return f"{FIGURE}{row.pk}/{place}/share/"


def test_owner_shares_a_place_of_the_figure() -> None:
    browser = factories.create_browser("ada")
    row = try_once(browser)
    place = facts(browser, row)["places"][3]
    assert place["share"] == page_of(row)
    assert "Share the numbers" in browser.get(page_of(row)).content.decode()
    answer = browser.post(page_of(row), {"name": "quarter"})
    shared = SharedNumbers.objects.get()
    assert answer["Location"] == f"{LAB}shared/{shared.token}/#yours"
    text = Client().get(f"{LAB}shared/{shared.token}/").content.decode()
    for words in ("quarter", "Each row is the code of one position", "How far does it reach?"):
        assert words in text
    assert "def sinusoidal_table" not in text
    own = browser.get(f"/figures/run-{row.pk}-3/heatmap.json?values=1").json()["values"]
    address = f"/figures/{shared_slug(shared)}/heatmap.json?values=1"
    assert np.array_equal(Client().get(address).json()["values"], own)
    browser.post(f"{LAB}shared/{shared.token}/revoke/")
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("place", [0, 999])
def test_others_share_no_figure(place: int) -> None:
    row = try_once(factories.create_browser("ada"))
    for other in (Client(), factories.create_browser("bea")):
        for answer in (
            other.get(page_of(row, place)),
            other.post(page_of(row, place), {"name": "x"}),
        ):
            assert answer.status_code == 404
    assert not SharedNumbers.objects.exists()


def test_visitor_signs_in_first(client: Client) -> None:
    row = try_once(client)
    assert "Sign in" in client.get(page_of(row)).content.decode()
    assert client.post(page_of(row), {"name": "x"}).status_code == 404
    assert not SharedNumbers.objects.exists()


def test_open_assignment_ends_sharing() -> None:
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    row = try_once(factories.browser_of(member.user))
    later = timezone.now() + timedelta(days=1)
    assert row.run.against is not None
    exercise = row.run.against.exercise
    factories.assign(cohort, exercise, opens_at=later, due_at=later, closes_at=later)
    browser = factories.browser_of(member.user)
    answer = browser.post(page_of(row), {"name": "x"})
    assert answer.status_code == 409
    assert "cannot be shared now: work of your class" in answer.content.decode()
    assert not SharedNumbers.objects.exists()


def test_open_assignment_ends_links_to_encodings() -> None:
    """No page shows a member the encoding next to numbers, their own or those of others."""
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    row = try_once(factories.browser_of(member.user))
    browser = factories.browser_of(member.user)
    table = share(browser, run(browser, a_table()))
    pages = [f"{LAB}shared/{table.token}/", f"{LAB}{newest().pk}/", PAGE]
    for page in pages:
        assert "enc=sinusoidal/heatmap" in browser.get(page).content.decode(), page
    assert row.run.against is not None
    later = timezone.now() + timedelta(days=1)
    times = {"opens_at": later, "due_at": later, "closes_at": later}
    factories.assign(cohort, row.run.against.exercise, **times)
    browser = factories.browser_of(member.user)
    for page in pages:
        text = browser.get(page).content.decode()
        assert "enc=sinusoidal/heatmap" not in text, page
    assert "enc=sinusoidal/heatmap" in Client().get(pages[0]).content.decode()
    assert {place["share"] for place in facts(browser, row)["places"]} == {""}
    assert "/share/" not in browser.get(f"{FIGURE}{row.pk}/").content.decode()


def test_withheld_picture_is_not_next_to_numbers() -> None:
    definition = definition_of("alibi-slopes")
    assert definition.figure is not None
    start = initial_selection(definition.figure)
    name = (start.entry.slug, start.view.slug)
    assert f"&enc={'/'.join(name)}&b." in unquote(figure_query("shared-x", start, withheld=()))
    assert figure_query("shared-x", start, withheld=[name]) == f"enc=shared-x/{name[1]}"


def test_figure_is_shared_after_a_try() -> None:
    browser = factories.create_browser("ada")
    send(browser)
    row = record(newest())
    assert {place["share"] for place in facts(browser, row)["places"]} == {""}
    answer = browser.post(page_of(row), {"name": "x"})
    assert answer.status_code == 409
    assert "once a Check or Submit of yours was graded" in answer.content.decode()


@pytest.mark.parametrize("name", ["", "\u200b", "x" * 61])
def test_name_of_a_figure_is_checked(name: str) -> None:
    browser = factories.create_browser("ada")
    row = try_once(browser)
    assert browser.post(page_of(row), {"name": name}).status_code == 400
    assert not SharedNumbers.objects.exists()


@pytest.mark.parametrize("slug", FIGURES)
def test_shared_numbers_have_the_frame_of_their_figure(slug: str) -> None:
    definition = definition_of(slug)
    figure = definition.figure
    assert figure is not None
    start = initial_selection(figure)
    cells = start.compute().values
    stored = shared_figure(figure, place_of(start))
    rows, columns = cells.shape
    row = SharedNumbers.objects.create(
        learner=making.new_learner(),
        name="mine",
        n=rows,
        d=columns,
        figure=stored,
        numbers=cells.astype("<f8").tobytes(),
        made_at=timezone.now(),
    )
    numbers = numbers_at(shared_slug(row))
    assert numbers is not None
    entry = numbers.entry()
    assert figure.view in entry.views
    if stored is not None:
        data = Selection(entry, entry.views[figure.view], entry.encoding(), {}).compute()
        assert np.allclose(data.values, drawable(cells), equal_nan=True)
    [(_, title)] = with_titles([row])
    assert bool(title) == (stored is not None)
    page = Client().get(f"{LAB}shared/{row.token}/")
    assert page.status_code == 200
    text = unescape(page.content.decode())
    assert title in text
    assert "The numbers lie between" in text
    assert "Your numbers" not in text


@pytest.mark.parametrize("figure", ["text", {}, {"encoding": "no", "view": "x", "values": {}}])
def test_figure_of_another_version_is_gone(figure: object) -> None:
    row = SharedNumbers.objects.create(
        learner=making.new_learner(),
        name="mine",
        n=1,
        d=2,
        figure=figure,
        numbers=np.ones(2).tobytes(),
        made_at=timezone.now(),
    )
    assert Client().get(f"{LAB}shared/{row.token}/").status_code == 404
    assert [title for _, title in with_titles([row])] == ["a figure that is gone"]
    address = f"/figures/{shared_slug(row)}/heatmap.json"
    assert Client().get(address).status_code == 404
    assert read_shared(row) is not None


def test_missing_head_is_named_on_the_figure() -> None:
    definition = definition_of("alibi-slopes")
    assert definition.figure is not None
    at = moved(definition.figure, {"n_heads": "1", "head": "11"})
    cells = at.compute().values
    place = PlacePicture(place_of(at), definition, cells.shape, cells, None, "")
    pictures = Pictures("head", 0, ("yours",), (place,), "", "", None)
    assert pictures.words(place).startswith("There is no head 11: head 1 is shown. Your numbers")
    assert place.frame.finding.startswith("There is no head 11")
