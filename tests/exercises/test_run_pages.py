"""Runs on the pages of an exercise and of a lesson: who reads them, and that nothing is counted."""

from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from quizzes.content_files.files import DiskFiles
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.services import is_kept, our_failures
from quizzes.grader.programs import ProgramRun, ShownValue, ValuePicture
from quizzes.learners.models import Learner, Progress
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests import factories
from tests.classes.pages import teach_class
from tests.courses import at, some_course
from tests.exercises import making
from tests.exercises.asking import HTMX, PAGE, beat, post
from tests.lessons.course import LISTING, write_course

pytestmark = [pytest.mark.django_db(transaction=True)]
CODE = "own_code = 1"
EVIL = "<script>alert(1)</script>"
VALUE = ShownValue("", "array", "an array of shape (3, 4), float64", "[[0., 1.]]", "A note.")
PICTURE = ValuePicture("", np.arange(12.0).reshape(3, 4), (3, 4)).to_bytes()
DONE = ProgramRun("printed\n", values=(VALUE,), picture=PICTURE, seconds=0.01)
LESSON = at("/learn/first/sum/")
LISTING_RUN = f"{LESSON}run/listing-1/"


@pytest.fixture
def exercise() -> Exercise:
    return making.ready_exercise()


@pytest.fixture
def lesson(tmp_path: Path) -> None:
    root = write_course(tmp_path / "c", {"sum": f"First.\n{LISTING}"})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])


def send(client: Client, outcome: ProgramRun = DONE, **extra: str) -> Submission:
    """Run code by the exercise's page, and record what came of it."""
    form = {"code": CODE, "kind": "run", "call": "f(1)", "key": uuid4()}
    assert client.post(PAGE, form, **extra).status_code in {200, 302}
    leases.record_run(lease=making.lease(), outcome=outcome)
    return Submission.objects.latest("pk")


def page_of(row: Submission) -> str:
    return f"{PAGE}runs/{row.pk}/"


def test_run_shows_value_picture_and_prints(client: Client, exercise: Exercise) -> None:
    row = send(client)
    for extra in ({}, HTMX):
        text = client.get(page_of(row), **extra).content.decode()
        for part in ("f(1)", VALUE.what, "[[0., 1.]]", "A note.", "printed", "value.svg"):
            assert part in text
    assert 'id="form-key"' not in client.get(f"{page_of(row)}?asked=1", **HTMX).content.decode()
    picture = client.get(f"{page_of(row)}value.svg?scheme=dark")
    assert picture["Content-Type"] == "image/svg+xml"
    assert b"<svg" in picture.content
    assert "The numbers lie between 0 and 11." in client.get(page_of(row)).content.decode()


def test_run_without_a_script_has_a_page(client: Client, exercise: Exercise) -> None:
    form = {"code": "y = 2", "kind": "run", "call": "", "key": uuid4()}
    answer = client.post(PAGE, form)
    row = Submission.objects.get()
    assert answer.url == page_of(row)
    beat()
    assert "Your code is next" in client.get(answer.url).content.decode()
    leases.record_run(lease=making.lease(), outcome=ProgramRun(problem="It broke.", line=1))
    text = client.get(answer.url).content.decode()
    assert "It broke." in text
    again = client.get(f"{PAGE}?from=run-{row.pk}")
    assert "y = 2" in again.content.decode()


def test_form_starts_from_a_run_and_its_call(client: Client, exercise: Exercise) -> None:
    """And from the draft or the starter, with a sentence, when the Run has been deleted."""
    row = send(client)
    address = f"{PAGE}?from=run-{row.pk}"
    text = client.get(address).content.decode()
    assert CODE in text
    assert 'value="f(1)"' in text
    row.delete()
    gone = client.get(address)
    assert gone.status_code == 200
    assert "That Run is no longer here. This is the starter code." in gone.content.decode()
    assert "data-came-from" not in gone.content.decode()


def test_run_sent_twice_is_one_row(client: Client, exercise: Exercise) -> None:
    form = {"code": "x = 1", "kind": "run", "call": "f(1)", "key": uuid4()}
    for _ in range(2):
        assert client.post(PAGE, form, **HTMX).status_code == 200
    assert Submission.objects.count() == 1


def test_run_is_read_by_its_learner_alone(client: Client, exercise: Exercise) -> None:
    """Neither another visitor nor the class's staff reads it, under no address."""
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    teacher = factories.create_member(cohort, "tea", role="instructor")
    row = send(factories.browser_of(member.user))
    addresses = [page_of(row), f"{page_of(row)}value.svg"]
    addresses += [f"{PAGE}submissions/{row.pk}/{end}" for end in ("", "verdict/", "report.json")]
    viewing = factories.browser_of(teacher.user)
    view = teach_class(f"people/{member.pk}/view/")
    assert viewing.post(view).status_code == 302
    assert b"You are viewing this course as" in viewing.get(PAGE).content
    for other in (client, factories.browser_of(teacher.user), viewing):
        assert {other.get(address).status_code for address in addresses} == {404}
        assert CODE not in other.get(f"{PAGE}?from=run-{row.pk}").content.decode()
    own = factories.browser_of(member.user)
    assert [own.get(address).status_code for address in addresses] == [200] * 2 + [404] * 3


def test_run_counts_for_nothing(exercise: Exercise) -> None:
    """Also while a class counts Submits of the exercise: Run works, and no attempt is used."""
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    later = timezone.now() + timedelta(days=1)
    factories.assign(cohort, exercise, due_at=later, closes_at=later, attempts=1)
    browser = factories.browser_of(member.user)
    row = send(browser)
    assert not row.own_pack
    assert not Progress.objects.filter(kind="exercise").exists()
    learner = Learner.objects.get(user=member.user)
    assert not our_failures().exists()
    assert "Submission 1" not in browser.get(PAGE).content.decode()
    assert post(browser, kind="submit").status_code == 302, "the only attempt is still there"
    visitor = Client()
    run = send(visitor)
    assert not is_kept(exercise=exercise, learner=run.learner)
    assert learner.submissions.filter(kind="submit").count() == 1


def test_run_of_hostile_texts_is_escaped(client: Client, exercise: Exercise) -> None:
    value = ShownValue(EVIL, "text", EVIL, EVIL, EVIL)
    row = send(client, ProgramRun(EVIL, problem=EVIL, hint=EVIL, traceback=EVIL, values=(value,)))
    for extra in ({}, HTMX):
        assert EVIL not in client.get(page_of(row), **extra).content.decode()


def test_values_of_the_other_library_are_named(client: Client, exercise: Exercise) -> None:
    tensor = ShownValue("", "tensor", "a tensor of shape (2, 2), float32", "[[1.]]")
    row = send(client, ProgramRun(values=(tensor,)))
    assert "use NumPy arrays" in client.get(page_of(row)).content.decode()


def test_damaged_run_is_our_failure(client: Client, exercise: Exercise) -> None:
    row = send(client)
    row.run.outcome = {"output": 3}
    row.run.save()
    assert "This was our fault" in client.get(page_of(row)).content.decode()
    assert client.get(f"{page_of(row)}value.svg").status_code == 404
    row.run.picture, row.run.outcome = b"no picture", DONE.as_json()
    row.run.save()
    assert client.get(page_of(row)).status_code == 200
    assert client.get(f"{page_of(row)}value.svg").status_code == 404


@pytest.mark.parametrize("call", ["f(" + "1" * 1000, "f(\0)"])
def test_call_that_cannot_be_stored_is_refused(
    client: Client, exercise: Exercise, call: str
) -> None:
    form = {"code": "x = 1", "kind": "run", "call": call, "key": uuid4()}
    answer = client.post(PAGE, form, **HTMX)
    assert (answer.status_code, "The call" in answer.content.decode()) == (400, True)
    assert not Submission.objects.exists()


# ---- listings


def run_listing(client: Client, outcome: ProgramRun, code: str = "print(1 + 1)\n") -> str:
    answer = client.post(LISTING_RUN, {"code": code, "key": uuid4()}, **HTMX)
    assert answer.status_code == 200
    row = Submission.objects.latest("pk")
    assert f"{LISTING_RUN}{row.pk}/?asked=1" in answer.content.decode()
    leases.record_run(lease=making.lease(), outcome=outcome)
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
    return client.get(f"{LISTING_RUN}{row.pk}/", **HTMX).content.decode()


@pytest.mark.usefixtures("lesson")
def test_listing_runs_and_its_output_is_compared(client: Client) -> None:
    assert "the same output" in run_listing(client, ProgramRun("2\n"))
    other = run_listing(client, ProgramRun("3\n"), "print(1 + 2)\n")
    assert "other output" in other
    assert "<ins>" in other
    assert "<del>" in other
    assert "only on this page: " in other
    assert "prints nothing" in run_listing(client, ProgramRun(""))
    stopped = run_listing(client, ProgramRun("1\n", problem="It raised.", traceback="here"))
    assert "It raised." in stopped
    assert "<del>" not in stopped
    long = run_listing(client, ProgramRun("1\n" * 3000, is_cut=True))
    assert "first 200 lines" in long
    assert "16&#8239;000 characters" in long
    assert EVIL not in run_listing(client, ProgramRun(EVIL, problem=EVIL, traceback=EVIL))


@pytest.mark.usefixtures("lesson")
def test_listing_page_is_whole_without_a_script(client: Client) -> None:
    text = client.get(LESSON).content.decode()
    form = f'<form class="listing__tools cluster" method="post" action="{LISTING_RUN}">'
    assert f'{form}<input type="hidden" name="csrfmiddlewaretoken"' in text
    assert "<samp>2</samp>" in text


@pytest.mark.usefixtures("lesson")
def test_listing_runs_without_a_script(client: Client) -> None:
    """As it stands, then as its reader changed it on the Run's page, and run again from there."""
    answer = client.post(LISTING_RUN)
    row = Submission.objects.get()
    assert (answer.status_code, row.code) == (302, "print(1 + 1)\n")
    beat()
    waiting = client.get(answer["Location"]).content.decode()
    assert "Waiting" in waiting
    assert f'<a href="{LISTING_RUN}{row.pk}/">Reload</a>' in waiting
    leases.record_run(lease=making.lease(), outcome=ProgramRun("2\n"))
    page = client.get(answer["Location"]).content.decode()
    assert "the same output" in page
    assert f'href="{LESSON}#listing-1-title"' in page
    assert f'action="{LISTING_RUN}"' in page
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
    again = client.post(LISTING_RUN, {"code": EVIL, "key": uuid4()})
    leases.record_run(lease=making.lease(), outcome=ProgramRun(EVIL, problem=EVIL))
    assert EVIL not in client.get(again["Location"]).content.decode()
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
    other = client.post(LISTING_RUN, {"code": "print(3)\n", "key": uuid4()})
    leases.record_run(lease=making.lease(), outcome=ProgramRun("3\n"))
    assert "only in the step: " in client.get(other["Location"]).content.decode()


@pytest.mark.usefixtures("lesson")
def test_refused_listing_keeps_the_code(client: Client) -> None:
    client.post(LISTING_RUN, {"code": "x = 1"})
    many = client.post(LISTING_RUN, {"code": "x = 2"})
    assert (many.status_code, many["Retry-After"]) == (429, "1")
    text = many.content.decode()
    assert "x = 2" in text
    assert "Not sent." in text
    assert client.post(LISTING_RUN, {"code": " "}).status_code == 400


@pytest.mark.usefixtures("lesson")
@pytest.mark.parametrize(
    "path",
    [
        "/learn/first/sum/run/listing-2/",
        "/learn/no/sum/run/listing-1/",
        "/learn/first/no/run/listing-1/",
    ],
)
def test_run_of_no_listing_is_not_found(client: Client, path: str) -> None:
    assert client.post(at(path), {"code": "x = 1"}).status_code == 404
    assert not Submission.objects.exists()


@pytest.mark.usefixtures("lesson")
def test_listing_run_is_refused_with_a_sentence(client: Client) -> None:
    empty = client.post(LISTING_RUN, {"code": " "}, **HTMX)
    assert (empty.status_code, "no code here" in empty.content.decode()) == (400, True)
    client.post(LISTING_RUN, {"code": "x = 1"}, **HTMX)
    many = client.post(LISTING_RUN, {"code": "x = 2"}, **HTMX)
    assert (many.status_code, many["Retry-After"]) == (429, "1")
    assert "use Check or Run once a second" in many.content.decode()


@pytest.mark.usefixtures("lesson")
def test_listing_run_is_read_by_its_learner_alone(client: Client) -> None:
    run_listing(client, ProgramRun("2\n"))
    row = Submission.objects.get()
    assert Client().get(f"{LISTING_RUN}{row.pk}/").status_code == 404
