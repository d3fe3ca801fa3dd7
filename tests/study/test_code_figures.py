"""A learner's numbers on the figure of an exercise: what is stored, who reads it, what is shown."""

import base64
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from quizzes.exercises.models import CodeRun, Exercise, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.runs.code_figure import initial_selection, selection_at
from quizzes.exercises.runs.samples import places_of, sample_of
from quizzes.grader.programs import MOST_PLACES, Sample
from quizzes.lessons.figures.address import find_view, select
from quizzes.lessons.figures.live import reading
from tests import factories
from tests.classes.pages import teach_class
from tests.exercises import making
from tests.exercises.asking import PAGE, beat
from tests.exercises.newer_version import mended

pytestmark = [pytest.mark.django_db(transaction=True)]
FIGURE = f"{PAGE}figure/"
JSON = {"HTTP_ACCEPT": "application/json"}
CODE = "def sinusoidal_table(n, d, base=10000.0):\n    return None\n"
EVIL = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def exercise() -> Exercise:
    return making.ready_exercise()


def send(client: Client, *, accept: Mapping[str, str] = JSON, **fields: Any) -> Any:
    form = {"code": CODE, "key": uuid4(), **fields}
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
    return client.post(FIGURE, form, **accept)


def newest() -> Submission:
    return Submission.objects.select_related("run__against").latest("pk")


def tables(row: Submission, change: Any = lambda table: table) -> Sample:
    """Return the view's own numbers at every place, changed, next to themselves."""
    assert row.run.against is not None
    figure = row.run.against.definition.figure
    assert figure is not None
    right = [selection_at(figure, place).compute().values for place in places_of(row.run)]
    arrays = tuple(None if change(table) is None else change(table) for table in right)
    problems = tuple("" if array is not None else f"It broke. {EVIL}" for array in arrays)
    own = Sample(arrays, problems, seconds=0.01)
    return own.beside(Sample(tuple(right), problems)) if row.run.with_reference else own


def record(row: Submission, outcome: Sample | None = None) -> Submission:
    assert leases.record_run(lease=making.lease(), outcome=outcome or tables(row))
    return newest()


def facts(client: Client, row: Submission) -> dict[str, Any]:
    answer = client.get(f"{FIGURE}{row.pk}/", **JSON)
    assert answer.status_code == 200
    parsed: dict[str, Any] = answer.json()
    return parsed


def test_batch_has_all_places_of_a_slider(client: Client) -> None:
    """Those around the hand first, all other sliders where they stand."""
    assert send(client, slider="d_model", **{"figure.positions": "5"}).status_code == 200
    run = newest().run
    places = places_of(run)
    assert len(places) <= MOST_PLACES
    assert [place["d_model"] for place in places[:3]] == [24, 23, 25]
    assert {place["positions"] for place in places} == {5}
    assert (run.call, run.with_reference) == (
        "sinusoidal_table(n=positions, d=d_model, base=base)",
        True,
    )
    assert newest().code == CODE


def test_values_outside_stay_inside(client: Client) -> None:
    send(client, **{"figure.positions": "500", "figure.base.log10": "9", "figure.layout": "x"})
    assert (
        places_of(newest().run)[0] | {"positions": 32, "base": 100000} == places_of(newest().run)[0]
    )
    refused = send(client, **{"figure.positions": EVIL})
    assert refused.status_code == 400
    assert "must be" in refused.json()["message"]


@pytest.mark.parametrize("code", ["", " \n", "x" * 20_001])
def test_code_is_checked_like_a_run(client: Client, code: str) -> None:
    answer = send(client, code=code)
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert not CodeRun.objects.exists()


def test_second_batch_within_a_second_waits(client: Client) -> None:
    send(client)
    answer = client.post(FIGURE, {"code": CODE, "key": uuid4()}, **JSON)
    assert (answer.status_code, answer["Retry-After"]) == (429, "1")


def test_script_reads_how_the_wait_goes(client: Client) -> None:
    beat()
    answer = send(client).json()
    assert answer["ask"] == f"{FIGURE}{newest().pk}/?asked=1"
    assert "ask" in facts(client, newest())
    record(newest())
    assert "places" in facts(client, newest())


def test_numbers_equal_those_of_the_figures_reading(client: Client) -> None:
    """As float32, as the reading of the lesson's figure has them; so are the digits shown."""
    send(client)
    row = record(newest())
    given = facts(client, row)
    assert given["slider"] == "positions"
    assert list(given["layers"]) == ["yours", "reference", "difference"]
    assert [place["texts"]["positions"] for place in given["places"]] == [
        str(count) for count in range(2, 33)
    ]
    for place in given["places"]:
        selection = select(*find_view("sinusoidal", "heatmap"), place["texts"])
        (own,) = reading(selection, width="wide")["places"]
        assert place["numbers"]["yours"] == own["values"]
        assert place["words"] == "No difference."
        assert not np.frombuffer(base64.b64decode(place["numbers"]["difference"]), "<f4").any()


def test_difference_is_yours_minus_reference(client: Client) -> None:
    send(client)
    row = record(newest(), tables(newest(), lambda table: table + 0.25))
    given = facts(client, row)
    first = given["places"][0]
    cells = np.frombuffer(base64.b64decode(first["numbers"]["difference"]), "<f4")
    np.testing.assert_allclose(cells, 0.25, atol=1e-7)
    assert "Largest difference +0.2500" in first["words"]
    assert given["dress"]["difference"]["limits"] == [-0.5, 0.5]


def spoil(table: Any) -> Any:
    wrong = table.copy()
    wrong[0, :2] = np.nan, -np.inf
    return wrong


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: None, "It broke."),
        (lambda table: table.T if len(table) != table.shape[1] else table[1:], "have the shape"),
        (spoil, "2 numbers are finite in only one of the two"),
        (lambda table: table + 1e-9, "No difference."),
        (lambda table: table * 1e300, "Largest difference"),
    ],
)
def test_every_result_has_a_sentence(client: Client, change: Any, words: str) -> None:
    """As JSON and as a page with pictures; nothing that code says is HTML."""
    send(client)
    row = record(newest(), tables(newest(), change))
    for place in facts(client, row)["places"]:
        assert words in place["words"]
    page = client.get(f"{FIGURE}{row.pk}/").content.decode()
    assert words in page
    assert EVIL not in page
    for name in ("yours-0.svg", "reference-3.svg?scheme=dark", "difference-30.svg"):
        picture = client.get(f"{FIGURE}{row.pk}/{name}")
        is_drawn = name.startswith("reference") or ("broke" not in words and "shape" not in words)
        assert picture.status_code == (200 if is_drawn else 404)


def test_page_without_script_shows_a_strip(client: Client) -> None:
    answer = send(client, accept={}, slider="base")
    row = newest()
    assert (answer.status_code, answer.url) == (302, f"{FIGURE}{row.pk}/")
    beat()
    assert "Your code is next" in client.get(answer.url).content.decode()
    record(row)
    page = client.get(answer.url).content.decode()
    assert page.count("<img") == 7 * 3
    assert "base = 10" in page
    assert f"?from=figure-{row.pk}#code-figure" in page
    assert CODE.splitlines()[1] in client.get(f"{PAGE}?from=figure-{row.pk}").content.decode()


def test_exercise_page_has_figure_and_sliders(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    for part in ('formaction="' + FIGURE, 'name="figure.positions"', 'max="32"', "See it on"):
        assert part in page


def test_batch_is_read_by_its_learner_alone(client: Client) -> None:
    """Neither another visitor nor the class's staff reads it, under no address."""
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    teacher = factories.create_member(cohort, "tea", role="instructor")
    browser = factories.browser_of(member.user)
    send(browser)
    row = record(newest())
    assert facts(browser, row)["places"]
    viewing = factories.browser_of(teacher.user)
    assert viewing.post(teach_class(f"people/{member.pk}/view/")).status_code == 302
    ends = ("", "yours-0.svg")
    for other in (client, factories.browser_of(teacher.user), viewing):
        for end in ends:
            assert other.get(f"{FIGURE}{row.pk}/{end}").status_code == 404
        assert other.get(f"{PAGE}runs/{row.pk}/").status_code == 404
        assert other.get(f"{PAGE}submissions/{row.pk}/").status_code == 404
    assert browser.get(f"{PAGE}runs/{row.pk}/").status_code == 404, "it is no Run of a call"
    assert browser.get(f"{PAGE}counterexample/{row.pk}/").status_code == 404


def test_open_assignment_hides_the_reference() -> None:
    """Yours is shown; the reference is neither called, nor shown of a batch from before."""
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    browser = factories.browser_of(member.user)
    send(browser)
    before = record(newest(), tables(newest(), lambda table: table + 0.25))
    assert "reference" in facts(browser, before)["layers"]
    later = timezone.now() + timedelta(days=1)
    exercise = before.run.against.exercise
    factories.assign(cohort, exercise, opens_at=later, due_at=later, closes_at=later)
    fresh = factories.browser_of(member.user)
    send(fresh)
    row = record(newest())
    assert not row.run.with_reference
    for batch in (before, row):
        given = facts(fresh, batch)
        assert list(given["layers"]) == ["yours"]
        assert "The reference is not shown now" in given["note"]
        assert given["note"] in fresh.get(f"{FIGURE}{batch.pk}/").content.decode()
        assert {name for place in given["places"] for name in place["numbers"]} == {"yours"}
        assert "difference" not in str(given["places"]).lower()
        assert fresh.get(f"{FIGURE}{batch.pk}/reference-0.svg").status_code == 404
        assert fresh.get(f"{FIGURE}{batch.pk}/difference-0.svg").status_code == 404
        assert fresh.get(f"{FIGURE}{batch.pk}/yours-0.svg").status_code == 200


def test_damaged_batch_is_our_fault(client: Client) -> None:
    send(client)
    row = record(newest())
    for change in ({"picture": b"PEQ1"}, {"outcome": {"problems": []}}):
        CodeRun.objects.filter(pk=row.pk).update(**change)
        assert sample_of(newest()) is None
        assert "our fault" in facts(client, row)["message"]
        assert "our fault" in client.get(f"{FIGURE}{row.pk}/").content.decode()
        assert client.get(f"{FIGURE}{row.pk}/yours-0.svg").status_code == 404


def test_batch_of_an_older_version_is_gone(client: Client) -> None:
    send(client)
    row = record(newest())
    mended(row.run.against.exercise)
    assert client.get(f"{FIGURE}{row.pk}/yours-0.svg").status_code == 404


def test_exercise_without_figure_has_no_address(client: Client) -> None:
    other = PAGE.replace("sinusoidal-table", "no-such-exercise")
    assert client.post(f"{other}figure/", {"code": CODE}).status_code == 404


def test_initial_picture_is_the_author_choice() -> None:
    figure = making.ready_exercise().current.definition.figure  # type: ignore[union-attr]
    assert figure is not None
    values = initial_selection(figure).values()
    assert (values["d_model"], values["positions"]) == (24, 24)
