"""The lab's page: a program is run once, its table is drawn, and errors are sentences."""

import gc
import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import numpy as np
import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from posenc.registry import Entry

from quizzes.exercises.models import CodeRun, Draft, Submission
from quizzes.exercises.queue import batch_pictures
from quizzes.exercises.runs.samples import places_of, shapes_of, submit_sample
from quizzes.grader.programs import MAX_BYTES, Sample
from quizzes.lessons.own_numbers import entries
from quizzes.study.lab.numbers import run_slug
from quizzes.study.lab.starts import STARTS
from tests import factories
from tests.exercises import making
from tests.study.lab.lab_runs import (
    CODE,
    LAB,
    Table,
    a_table,
    page_of,
    record,
    record_table,
    run,
    send,
)

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def browser() -> Client:
    return factories.create_browser("ada")


def test_program_is_a_batch_of_no_exercise(browser: Client) -> None:
    answer = send(browser, n=8, d=4)
    row = Submission.objects.select_related("run").get()
    assert answer["Location"] == f"{page_of(row)}#result"
    assert places_of(row.run)[:3] == [{"n": n, "d": 4} for n in (8, 7, 9)]
    assert shapes_of(row.run)[0] == (8, 4)
    assert (row.run.call, row.run.against, row.exercise_version) == ("f(n, d)", None, None)


def test_page_draws_every_view_of_a_table(browser: Client) -> None:
    text = browser.get(page_of(run(browser, a_table()))).content.decode()
    for title in ("heatmap", "dot-products", "shift", "reach"):
        assert f'id="figure-{title}"' in text
    assert "A shift changes the scores: at offset" in text
    assert "The mean cosine first falls below 0.5 at distance" in text
    assert "The numbers of your newest 8 Runs are kept, for at most an hour" in text


def test_figure_has_the_numbers_of_the_run(browser: Client) -> None:
    row = run(browser, a_table())
    answer = browser.get(f"/figures/run-{row.pk}-0/heatmap.json?values=1")
    assert np.array_equal(np.array(answer.json()["values"]), a_table())
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("view", ["heatmap", "dot-products", "shift", "reach"])
def test_figure_is_seen_by_its_learner_alone(browser: Client, view: str) -> None:
    row = run(browser, a_table())
    for file in ("json", "csv", "live.svg", "html"):
        address = f"/figures/run-{row.pk}-0/{view}.{file}"
        assert browser.get(address, follow=True).status_code == 200
        assert Client().get(address).status_code == 404
        assert factories.create_browser(f"{view}-{file}").get(address).status_code == 404


@pytest.mark.parametrize("file", ["svg", "png"])
def test_other_process_draws_no_own_numbers(browser: Client, file: str) -> None:
    row = run(browser, a_table())
    assert browser.get(f"/figures/run-{row.pk}-0/heatmap.{file}").status_code == 404


def test_run_is_shown_to_its_learner_alone(browser: Client) -> None:
    row = run(browser, a_table())
    assert browser.get(page_of(row)).status_code == 200
    for other in (Client(), factories.create_browser("bea")):
        assert other.get(page_of(row)).status_code == 404


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (None, "Your code returned None; the figure needs an array."),
        (np.zeros((4, 8)), "Your numbers have the shape (4, 8); the figure draws (8, 4)."),
    ],
)
def test_problem_says_what_was_expected(browser: Client, table: Table, problem: str) -> None:
    assert send(browser, n=8, d=4).status_code == 302
    row = record_table(table, problem if table is None else "")
    text = browser.get(page_of(row)).content.decode()
    assert problem in text
    assert "<code>f(8, 4)</code> returns a NumPy array of shape (8, 4)" in " ".join(text.split())
    assert run(browser, a_table()).graded_at  # the next try works


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e101])
def test_number_without_a_colour_leaves_the_heatmap(browser: Client, bad: float) -> None:
    table = a_table()
    table[2, 1] = bad
    row = run(browser, table)
    text = browser.get(page_of(row)).content.decode()
    assert 'id="figure-heatmap"' in text
    assert 'id="figure-reach"' not in text
    assert "expected: all finite" in text
    assert browser.get(f"/figures/run-{row.pk}-0/reach.json").status_code == 404


@pytest.mark.parametrize(
    ("n", "d", "said"),
    [
        (1, 4, "n=1: must be a whole number between 2 and 256."),
        (8, 257, "d=257: must be a whole number between 2 and 256."),
        ("many", 4, "n=many: must be a whole number between 2 and 256."),
        ("", 4, "n: must be a whole number between 2 and 256."),
        ("8_0", 4, "n=8_0: must be a whole number between 2 and 256."),
        ("9" * 4000, 4, f"n={'9' * 20}…: must be a whole number between 2 and 256."),
    ],
)
def test_size_out_of_bounds_is_named(browser: Client, n: object, d: object, said: str) -> None:
    answer = send(browser, n=n, d=d)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert CODE.strip() in answer.content.decode()
    assert not CodeRun.objects.exists()


def test_second_program_within_a_second_waits(browser: Client) -> None:
    send(browser)
    answer = browser.post(LAB, {"code": CODE, "n": 8, "d": 4, "key": uuid4()})
    assert (answer.status_code, answer["Retry-After"]) == (429, "1")


def test_draft_of_the_lab_comes_back(browser: Client) -> None:
    assert browser.post(f"{LAB}draft/", {"code": "mine"}).status_code == 200
    assert Draft.objects.get().exercise is None
    assert "\nmine</textarea>" in browser.get(LAB).content.decode()
    other = browser.post(f"{LAB}draft/", {"code": "other"})
    assert (other.status_code, other.json()["code"]) == (409, "mine")


def test_newcomer_keeps_no_starting_point(client: Client) -> None:
    for start in STARTS:
        assert client.post(f"{LAB}draft/", {"code": start.code}).json()["token"] == ""
    assert not Draft.objects.exists()


def test_starting_point_is_chosen_by_a_link(browser: Client) -> None:
    text = browser.get(LAB).content.decode()
    for start in STARTS:
        assert f"?start={start.slug}" in text
        chosen = browser.get(f"{LAB}?start={start.slug}").content.decode()
        assert start.title in chosen
        assert start.code.splitlines()[4].strip() in chosen.replace("&quot;", '"')


def test_fault_of_a_figure_is_named(browser: Client) -> None:
    row = run(browser, a_table())
    answer = browser.get(f"{page_of(row)}?heatmap.positions=999")
    assert answer.status_code == 400
    assert "must be between 1 and 65" in answer.content.decode()


def test_newest_runs_keep_their_numbers(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_pictures, "MOST_OF_LAB", 2)
    rows = [run(browser, a_table()) for _ in range(2)]
    have = CodeRun.objects.filter(picture__isnull=False).values_list("submission", flat=True)
    assert sorted(have) == [row.pk for row in rows]
    rows += [run(browser, a_table())]
    assert sorted(have.all()) == [row.pk for row in rows[1:]]
    assert "deleted because newer ones came" in browser.get(page_of(rows[0])).content.decode()


def test_same_form_shows_no_deleted_numbers(browser: Client) -> None:
    """A process keeps pictures by the name of a Run: the next Run has another one."""
    key = uuid4()
    shown = []
    for table in (a_table(), a_table() + 1):
        assert send(browser, key=key).status_code == 302
        row = record_table(table)
        answer = browser.get(f"/figures/{run_slug(row)}/heatmap.json?values=1")
        shown.append(np.array(answer.json()["values"]))
        browser.get(page_of(row))
        row.delete()
    assert np.array_equal(shown[1], a_table() + 1)


def test_page_shows_the_numbers_of_its_learner(browser: Client) -> None:
    """Forms of two learners may have the same key."""
    key, tables = uuid4(), (a_table(), a_table() + 1)
    browsers = (browser, factories.create_browser("bea"))
    for client, table in zip(browsers, tables, strict=True):
        assert send(client, key=key).status_code == 302
        row = record_table(table)
        answer = client.get(f"/figures/{run_slug(row)}/heatmap.json?values=1")
        assert np.array_equal(np.array(answer.json()["values"]), table)


def test_process_keeps_few_tables(browser: Client) -> None:
    for each in range(entries.KEPT + 4):
        row = run(browser, a_table() + each)
        assert browser.get(page_of(row)).status_code == 200
        browser.get(f"/explore/?enc={run_slug(row)}", follow=True)
    gc.collect()
    alive = [entry for entry in gc.get_objects() if type(entry) is Entry]  # no lazy object is asked
    assert sum(entries.is_own(entry.slug) for entry in alive) <= entries.KEPT


def test_drag_drops_no_run_of_the_lab(browser: Client) -> None:
    of_lab = run(browser, a_table())
    version = making.ready_exercise().current
    for each in range(batch_pictures.MOST_OF_ONE + 1):
        Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
        facts = {"call": "f(n)", "slider": "n", "places": [{"n": each + 2}], "shapes": [(8, 4)]}
        submit_sample(learner=of_lab.learner, code=CODE, version=version, **facts)  # type: ignore[arg-type]
        record(Sample((a_table(),), ("",)))
    kept = CodeRun.objects.filter(picture__isnull=False)
    assert kept.filter(submission=of_lab).exists()
    assert kept.exclude(submission=of_lab).count() == batch_pictures.MOST_OF_ONE


def test_file_has_the_numbers_as_returned(browser: Client) -> None:
    table = a_table()
    table[0, :4] = np.inf, -np.inf, np.nan, 1e101
    row = run(browser, table)
    answer = browser.get(f"/figures/{run_slug(row)}/heatmap.csv", follow=True)
    assert answer.content.decode().splitlines()[1] == "0,inf,-inf,nan,1e+101"


def test_script_takes_the_result_alone(browser: Client) -> None:
    """A page that waits keeps its editor as it is."""
    send(browser)
    row = Submission.objects.latest("pk")
    ask = {"HTTP_HX_REQUEST": "true"}
    waiting = browser.get(page_of(row), **ask).content.decode()
    assert f'data-ask="{page_of(row)}?asked=' in waiting
    record_table(a_table())
    text = browser.get(page_of(row), **ask).content.decode()
    assert 'id="figure-reach"' in text
    assert "Share the numbers" in text
    for other in ("<html", "id_code"):
        assert other not in text
    assert Client().get(page_of(row), **ask).status_code == 404


@pytest.mark.parametrize("along", ["n", "d"])
def test_sizes_around_the_hand_come_at_once(browser: Client, along: str) -> None:
    send(browser, n=8, d=6, along=along)
    row = Submission.objects.select_related("run").latest("pk")
    assert len(places_of(row.run)) == 64
    record_table(a_table(8, 6))
    name = {"n": "positions", "d": "d_model"}[along]
    for size in (3, 20, 40):
        address = f"/figures/{run_slug(row)}/heatmap.json?values=1&{name}={size}"
        values = np.array(browser.get(address).json()["values"])
        assert np.array_equal(values, a_table(**{"n": 8, "d": 6} | {along: size}))
        for view in ("dot-products", "shift", "reach"):
            answer = browser.get(f"/figures/{run_slug(row)}/{view}.json?{name}={size}")
            assert answer.status_code == 200, answer.content


def test_batch_fits_in_one_run(browser: Client) -> None:
    for n, d, count in ((256, 256, 2), (64, 32, 64), (2, 2, 64)):
        send(browser, n=n, d=d)
        row = Submission.objects.select_related("run").latest("pk")
        assert len(places_of(row.run)) == count
        assert sum(rows * columns for rows, columns in shapes_of(row.run)) <= MAX_BYTES // 8


def test_failure_at_another_size_is_silent(browser: Client) -> None:
    send(browser)
    row = Submission.objects.select_related("run").latest("pk")
    count = len(places_of(row.run))
    arrays = (a_table(), *[None] * (count - 1))
    record(Sample(arrays, ("", *["It took longer."] * (count - 1)), "It took longer."))
    text = browser.get(page_of(row)).content.decode()
    assert 'id="figure-reach"' in text
    assert "It took longer." not in text


def test_printed_lines_are_shown(browser: Client) -> None:
    send(browser)
    row = record_table(a_table(), output="<b>hello</b>", is_cut=True)
    text = browser.get(page_of(row)).content.decode()
    assert "&lt;b&gt;hello&lt;/b&gt;" in text
    assert "the first 16&#8239;000 characters are kept" in text
    send(browser)
    row = record_table(None, "NameError in line 2.", output="so far")
    assert "so far" in browser.get(page_of(row)).content.decode()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"n": "nan"}, "n=nan: must be a whole number between 2 and 256."),
        ({"along": "x"}, "along=x: must be n or d."),
    ],
)
def test_script_gets_a_refusal_alone(browser: Client, wrong: dict[str, str], said: str) -> None:
    form = {"code": CODE, "n": 8, "d": 4, "key": uuid4()} | wrong
    answer = browser.post(LAB, form, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content.decode()) == (400, said)


def test_step_of_a_slider_reads_no_array(browser: Client) -> None:
    row = run(browser, a_table())
    address = f"/figures/{run_slug(row)}/heatmap.json?positions="
    assert browser.get(f"{address}8").status_code == 200
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(f"{address}7").status_code == 200
    assert not [each for each in queries if "picture" in each["sql"].partition(" FROM ")[0]]


def test_reload_keeps_the_hand(browser: Client) -> None:
    row = run(browser, a_table())
    text = browser.get(f"{page_of(row)}?heatmap.positions=11").content.decode()
    assert "f(11, 4)" in text
    assert 'id="hand-n"' in text
    assert 'name="size" value="11"' in text
    explorer = re.search(r'data-explorer\s+href="([^"]*)"', text)
    assert explorer is not None
    query = QueryDict(unescape(explorer[1]).partition("?")[2])
    assert (query["a.positions"], query["b.positions"], query["b.d_model"]) == ("11", "11", "4")
    assert browser.get(unescape(explorer[1]), follow=True).status_code == 200


def test_explorer_of_one_size_moves_no_slider(browser: Client) -> None:
    assert send(browser, n=8, d=4).status_code == 302
    row = Submission.objects.select_related("run").latest("pk")
    places = len(places_of(row.run))
    sample = Sample((a_table(), *[None] * (places - 1)), ("", *["no"] * (places - 1)))
    row = record(sample.in_shapes(shapes_of(row.run)))
    text = browser.get(page_of(row)).content.decode()
    assert "f(8, 4)" in text
    assert "a.positions" not in text
