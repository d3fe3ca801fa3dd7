"""A learner's numbers on the figure of an exercise: what is stored, who reads it, what is shown."""

import base64
import dataclasses
import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone
from posenc.errors import ParameterError
from posenc.query import Selection
from posenc.views import ViewData

from quizzes.exercises.models import CodeRun, Exercise, Submission
from quizzes.exercises.queue import batch_pictures, leases
from quizzes.exercises.queue.batch_pictures import show_before_reference
from quizzes.exercises.runs.code_figure import initial_selection, selection_at
from quizzes.exercises.runs.samples import places_of, sample_of, shapes_of
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.programs import MOST_PLACES, Sample
from quizzes.lessons.figures.address import find_view, select
from quizzes.lessons.figures.live import reading
from quizzes.limits.limits import ROWS, SUBMISSION_ROWS, rows_of
from tests import factories
from tests.classes.pages import teach_class
from tests.exercises import making
from tests.exercises.asking import PAGE, beat, graded
from tests.exercises.newer_version import mended

pytestmark = [pytest.mark.django_db(transaction=True)]
FIGURE = f"{PAGE}figure/"
JSON = {"HTTP_ACCEPT": "application/json"}
CODE = "def sinusoidal_table(n, d, base=10000.0):\n    return None\n"
EVIL = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def exercise() -> Exercise:
    return making.ready_exercise()


@pytest.fixture
def client(exercise: Exercise) -> Client:
    """A visitor whose first Check was graded, so that the reference is shown."""
    browser = Client()
    graded(Report(Verdict.WRONG), kind="check", client=browser)
    return browser


def let_a_second_pass() -> None:
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))


def send(client: Client, *, accept: Mapping[str, str] = JSON, **fields: Any) -> Any:
    form = {"code": CODE, "key": uuid4(), **fields}
    let_a_second_pass()
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
    own = Sample(arrays, problems, seconds=0.01).in_shapes(shapes_of(row.run))
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
    answer = facts(client, row)
    assert answer["slider"] == "positions"
    assert list(answer["layers"]) == ["yours", "reference", "difference"]
    assert [place["texts"]["positions"] for place in answer["places"]] == [
        str(count) for count in range(2, 33)
    ]
    for place in answer["places"]:
        selection = select(*find_view("sinusoidal", "heatmap"), place["texts"])
        (own,) = reading(selection, width="wide")["places"]
        assert place["numbers"]["yours"] == own["values"]
        assert place["words"] == "No difference."
        assert not np.frombuffer(base64.b64decode(place["numbers"]["difference"]), "<f4").any()


def test_difference_is_yours_minus_reference(client: Client) -> None:
    send(client)
    row = record(newest(), tables(newest(), lambda table: table + 0.25))
    answer = facts(client, row)
    first = answer["places"][0]
    cells = np.frombuffer(base64.b64decode(first["numbers"]["difference"]), "<f4")
    np.testing.assert_allclose(cells, 0.25, atol=1e-7)
    assert "Largest difference +0.2500" in first["words"]
    assert answer["dress"]["difference"]["limits"] == [-0.5, 0.5]


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
        (lambda table: table * 1e300, "Largest difference +1e+300"),
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
    answer = send(client, accept={}, slider="base", **{"figure.d_model": "32"})
    row = newest()
    assert (answer.status_code, answer.url) == (302, f"{FIGURE}{row.pk}/")
    beat()
    assert "Your code is next" in client.get(answer.url).content.decode()
    record(row)
    page = client.get(answer.url).content.decode()
    assert page.count("<img") == 8 * 3
    assert "base = 10000<" in page.replace("\u202f", ""), "where the slider stands"
    assert "base = 10" in page
    assert f"?from=figure-{row.pk}#code-figure" in page
    back = client.get(f"{PAGE}?from=figure-{row.pk}").content.decode()
    assert CODE.splitlines()[1] in back
    assert "<option selected>base</option>" in back
    assert re.search(r'name="figure.d_model"[^>]*value="32"', back)


def test_exercise_page_has_figure_and_sliders(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    for part in (
        'formaction="' + FIGURE,
        'name="figure.positions"',
        'max="32"',
        "See it on",
        "?enc=sinusoidal/heatmap",
    ):
        assert part in page
    newcomer = Client().get(PAGE).content.decode()
    assert "See it on" in newcomer
    assert "?enc=sinusoidal/heatmap" not in newcomer  # before a try


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
    graded(Report(Verdict.WRONG), client=browser)
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
        answer = facts(fresh, batch)
        assert list(answer["layers"]) == ["yours"]
        assert "The reference is not shown now" in answer["note"]
        assert answer["note"] in fresh.get(f"{FIGURE}{batch.pk}/").content.decode()
        assert {name for place in answer["places"] for name in place["numbers"]} == {"yours"}
        assert "difference" not in str(answer["places"]).lower()
        assert fresh.get(f"{FIGURE}{batch.pk}/reference-0.svg").status_code == 404
        assert fresh.get(f"{FIGURE}{batch.pk}/difference-0.svg").status_code == 404
        assert fresh.get(f"{FIGURE}{batch.pk}/yours-0.svg").status_code == 200


def test_damaged_batch_is_our_fault(client: Client) -> None:
    send(client)
    row = record(newest())
    for change in ({"picture": b"PEQ1"}, {"picture": b"", "outcome": {"problems": []}}):
        CodeRun.objects.filter(pk=row.pk).update(**change)
        assert sample_of(newest()) is None
        assert "our fault" in facts(client, row)["message"]
        assert "our fault" in client.get(f"{FIGURE}{row.pk}/").content.decode()
        assert client.get(f"{FIGURE}{row.pk}/yours-0.svg").status_code == 404


@pytest.mark.parametrize("value", ["x", None])
def test_slider_that_is_no_number_is_our_fault(value: object, client: Client) -> None:
    send(client)
    row = record(newest())
    sample = newest().run.sample
    sample["places"][0][sample["slider"]] = value
    CodeRun.objects.filter(pk=row.run.pk).update(sample=sample)
    assert "our fault" in facts(client, row)["message"]
    assert "our fault" in client.get(f"{FIGURE}{row.pk}/").content.decode()
    assert client.get(f"{FIGURE}{row.pk}/yours-0.svg").status_code == 404


def test_batch_of_an_older_version_is_gone(client: Client) -> None:
    send(client)
    row = record(newest())
    mended(row.run.against.exercise)
    assert facts(client, row)["message"] == "The exercise has changed. Run it again."
    assert client.get(f"{FIGURE}{row.pk}/yours-0.svg").status_code == 404


def test_exercise_without_figure_has_no_address(
    client: Client, exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert exercise.current is not None
    other = PAGE.replace("sinusoidal-table", "no-such-exercise")
    assert client.post(f"{other}figure/", {"code": CODE}).status_code == 404
    without = dataclasses.replace(exercise.current.definition, figure=None)
    monkeypatch.setattr(type(exercise.current), "definition", without)
    assert client.post(FIGURE, {"code": CODE}).status_code == 404
    assert "code-figure" not in client.get(PAGE).content.decode()


@pytest.mark.parametrize("change", [{"view": "gone"}, {"values": {"d_model": "99999999"}}])
def test_figure_that_posenc_lost_is_left_out(
    client: Client, exercise: Exercise, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    """A stored version may name what the engine has changed since; its page is there still."""
    assert exercise.current is not None
    definition = exercise.current.definition
    assert definition.figure is not None
    lost = dataclasses.replace(definition.figure, **change)
    spoiled = dataclasses.replace(definition, figure=lost)
    monkeypatch.setattr(type(exercise.current), "definition", spoiled)
    page = client.get(PAGE)
    assert page.status_code == 200
    assert 'id="code-figure"' not in page.content.decode()
    assert client.post(FIGURE, {"code": CODE}).status_code == 404


def test_reference_appears_after_a_graded_try() -> None:
    """Neither before, nor from a batch of before; waiting or unreadable code is no try."""
    newcomer = Client()
    send(newcomer)
    row = record(newest())
    assert not row.run.with_reference
    assert list(facts(newcomer, row)["layers"]) == ["yours"]
    assert "once a Check or Submit of yours was graded" in facts(newcomer, row)["note"]
    let_a_second_pass()
    graded(Report(Verdict.WRONG, parsed=False), kind="check", client=newcomer)
    send(newcomer)
    assert not newest().run.with_reference
    record(newest())
    let_a_second_pass()
    graded(Report(Verdict.WRONG), kind="check", client=newcomer)
    assert "Run it again to see the reference" in facts(newcomer, row)["note"]
    send(newcomer)
    assert "difference" in facts(newcomer, record(newest()))["layers"]


def test_own_numbers_come_while_reference_starts(client: Client) -> None:
    send(client)
    own = dataclasses.replace(tables(newest()), references=None)
    lease = making.lease()
    assert show_before_reference(lease=lease, outcome=own)
    early = facts(client, newest())
    assert early["ask"]
    assert list(early["layers"]) == ["yours"]
    assert "being started" in early["note"]
    assert leases.record_run(lease=lease, outcome=own)
    late = facts(client, newest())
    assert "ask" not in late
    assert "did not run everywhere. This was our fault" in late["note"]


def test_frozen_worker_writes_over_no_batch(client: Client) -> None:
    """Neither over what another one recorded, nor while that one has the row."""
    send(client)
    both = tables(newest())
    own = dataclasses.replace(both, references=None)
    frozen = making.lease("frozen")
    leases.hand_over(lease=frozen)
    lease = making.lease("other")
    assert not show_before_reference(lease=frozen, outcome=own)
    assert newest().run.outcome is None
    assert leases.record_run(lease=lease, outcome=both)
    assert not show_before_reference(lease=lease, outcome=own)
    assert "difference" in facts(client, newest())["layers"]


def test_failed_reference_is_called_our_fault(client: Client) -> None:
    send(client)
    batch = tables(newest())
    none = (None,) * len(batch.arrays)
    answer = facts(client, record(newest(), dataclasses.replace(batch, references=none)))
    assert "did not run everywhere. This was our fault" in answer["note"]
    assert {place["words"][:12] for place in answer["places"]} == {"Your numbers"}


def test_newest_batches_alone_keep_their_pictures(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one learner, and of all visitors together: a drag fills no disk."""
    rows = []
    for _ in range(batch_pictures.MOST_OF_ONE + 2):
        send(client)
        rows.append(record(newest()).pk)
    have = CodeRun.objects.filter(picture__isnull=False).values_list("pk", flat=True)
    assert sorted(have) == rows[2:]
    assert "deleted because newer ones came" in facts(client, Submission(pk=rows[0]))["message"]
    monkeypatch.setattr(batch_pictures, "MOST_OF_VISITORS", 2)
    other = Client()
    send(other)
    rows.append(record(newest()).pk)
    assert sorted(have.all()) == rows[-2:]


def test_newcomer_can_send_twenty_batches(client: Client) -> None:
    """Rows of the site's limit: what a batch stores is small."""
    send(client)
    stored = len(json.dumps(newest().run.sample)) + len(CODE)
    assert (SUBMISSION_ROWS + rows_of(stored)) * 20 < ROWS.person.at_once


def test_initial_picture_is_the_author_choice() -> None:
    figure = making.ready_exercise().current.definition.figure  # type: ignore[union-attr]
    assert figure is not None
    values = initial_selection(figure).values()
    assert (values["d_model"], values["positions"]) == (24, 24)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of positions of each view that was computed."""
    positions: list[int] = []
    compute = Selection.compute

    def count(selection: Selection) -> ViewData:
        positions.append(int(selection.values()["positions"]))
        return compute(selection)

    monkeypatch.setattr(Selection, "compute", count)
    return positions


@pytest.mark.parametrize("layer", ["yours", "reference", "difference"])
def test_still_picture_computes_its_place_alone(
    client: Client, computed: list[int], layer: str
) -> None:
    """And the first of the slider, for the marks that all have; 24 is the author's choice."""
    send(client)
    row = record(newest(), tables(newest(), lambda table: table + 0.25))
    computed.clear()
    assert client.get(f"{FIGURE}{row.pk}/{layer}-9.svg").status_code == 200
    assert sorted(computed) == [2, 11, 24]


def test_right_code_needs_no_view(client: Client, computed: list[int]) -> None:
    """Nothing is said of a cell, so nothing names one."""
    send(client)
    row = record(newest())
    computed.clear()
    assert facts(client, row)["places"]
    assert sorted(computed) == [2, 24]


@pytest.mark.parametrize("fault", ["refused", "another shape"])
def test_place_that_posenc_lost_is_our_fault(
    client: Client, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """A row is younger than an hour, and the engine may be younger still."""
    send(client)
    row = record(newest(), tables(newest(), lambda table: table + 0.25))
    compute = Selection.compute

    def newer(selection: Selection) -> ViewData:
        view = compute(selection)
        if selection.values()["positions"] < 20:
            if fault == "refused":
                raise ParameterError("positions", 2, "at least 20")
            view = dataclasses.replace(view, values=view.values[1:])
        return view

    monkeypatch.setattr(Selection, "compute", newer)
    assert "our fault" in facts(client, row)["message"]
    assert "our fault" in client.get(f"{FIGURE}{row.pk}/").content.decode()
    assert client.get(f"{FIGURE}{row.pk}/yours-0.svg").status_code == 404


def test_place_opens_in_the_explorer_as_a_table(client: Client) -> None:
    """Its numbers next to the encoding's, at the same sizes; nobody else sees them."""
    send(client, slider="d_model", **{"figure.positions": "5"})
    row = record(newest())
    place = facts(client, row)["places"][3]
    page = client.get(place["explorer"], follow=True)
    assert page.status_code == 200
    text = page.content.decode()
    assert "Does a shift change the scores?" in text
    assert f"positions = 5, d_model = {place['texts']['d_model']}" in text
    own = f"/figures/run-{row.pk}-3/heatmap.json"
    shown = np.array(client.get(f"{own}?values=1").json()["values"])
    assert shown.shape == (5, int(place["texts"]["d_model"]))
    assert np.abs(shown - sinusoid(*shown.shape)).max() <= 1e-12
    assert Client().get(own).status_code == 404
    assert Client().get(place["explorer"], follow=True).status_code == 400


def sinusoid(n: int, d: int) -> Any:
    """The view's own numbers."""
    return (
        select(*find_view("sinusoidal", "heatmap"), {"positions": str(n), "d_model": str(d)})
        .compute()
        .values
    )


def test_unfinished_batch_is_not_in_the_explorer(client: Client) -> None:
    send(client)
    row = newest()
    lease = making.lease()
    assert show_before_reference(lease=lease, outcome=tables(row))
    answer = facts(client, row)
    assert {place["explorer"] for place in answer["places"]} == {""}
    assert client.get(f"/figures/run-{row.pk}-0/heatmap.json").status_code == 404
