"""A right solution beside one's own: when it is shown, and that it is not shown before."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.exercises.models import Draft, ExerciseVersion, Submission
from quizzes.exercises.queue import leases
from quizzes.learners.hidden_answers import Hidden, find_hidden_answers
from quizzes.learners.models import Learner
from tests.courses import at
from tests.exercises import making

pytestmark = pytest.mark.django_db

PAGE = at("/exercises/sinusoidal-table/")
SOLUTION = f"{PAGE}solution/"
SECRET = "angles = positions / base ** (2 * pairs / d)"
assert SECRET in making.REFERENCE


def send(client, report, code="x = 1", kind="submit"):
    client.post(PAGE, {"code": code, "kind": kind, "key": ""})
    leases.record(lease=making.lease(), report=report)
    return Submission.objects.first()


def test_before_its_time_the_page_says_what_is_missing(client, exercise):
    answer = client.get(SOLUTION)
    assert answer.status_code == 403
    assert "You have 0 so far." in answer.content.decode()
    send(client, making.WRONG)
    send(client, making.WRONG, "x = 2")
    answer = client.get(SOLUTION)
    assert answer.status_code == 403
    assert "You have 2 so far." in answer.content.decode()
    assert SECRET not in answer.content.decode()
    assert "after 1 more submission." in client.get(PAGE).content.decode()


def test_after_three_submits_it_stands_beside_the_newest(client, exercise):
    for number in range(3):
        send(client, making.WRONG, f"x = {number}")
    assert SOLUTION in client.get(PAGE).content.decode()
    page = client.get(SOLUTION)
    assert page.status_code == 200
    assert SECRET in page.content.decode()
    assert "<code>x = 2</code>" in page.content.decode()
    assert "submission 3</a>" in page.content.decode()


def test_further_right_solutions_are_never_shown(client, exercise):
    """Learners see the reference; these only compare values."""
    files = exercise.current.files
    further = {"right/other_way.py": "def sinusoidal_table(n, d): return 'another way'"}
    ExerciseVersion.objects.update(files=files | further)
    send(client, making.CORRECT, "right = 1")
    for address in (PAGE, SOLUTION):
        text = client.get(address).content.decode()
        assert "another way" not in text
        assert "other_way" not in text


def test_a_solved_exercise_shows_it_beside_the_code_that_solved_it(client, exercise):
    send(client, making.CORRECT, "right = 1")
    send(client, making.WRONG, "worse = 1")
    page = client.get(SOLUTION).content.decode()
    assert SECRET in page
    assert "<code>right = 1</code>" in page


def test_checks_and_our_own_failures_are_no_tries(client, exercise):
    for number in range(3):
        send(client, making.WRONG, f"x = {number}", kind="check")
        Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=9))
    client.post(PAGE, {"code": "y = 1", "kind": "submit", "key": ""})
    for _ in range(3):
        leases.give_back(lease=making.lease(), failure="the machine burnt")
    assert Submission.objects.filter(verdict="not_graded", kind="submit").exists()
    answer = client.get(SOLUTION)
    assert answer.status_code == 403
    assert "You have 0 so far." in answer.content.decode()


def test_looking_at_it_is_written_nowhere(client, exercise):
    send(client, making.CORRECT)
    rows = [model.objects.count() for model in (Submission, Draft, Learner)]
    submission = Submission.objects.values().get()
    client.get(SOLUTION)
    assert [model.objects.count() for model in (Submission, Draft, Learner)] == rows
    assert Submission.objects.values().get() == submission


def test_another_learners_tries_open_nothing(client, exercise):
    send(client, making.CORRECT)
    assert client.get(SOLUTION).status_code == 200
    assert Client().get(SOLUTION).status_code == 403


def test_hidden_answers_hide_it(client, exercise, monkeypatch):
    send(client, making.CORRECT)
    hidden = Hidden(exercise.course_id, "exercise", exercise.slug)
    monkeypatch.setattr(find_hidden_answers, "filling", lambda learner, now: [hidden])
    answer = client.get(SOLUTION)
    assert answer.status_code == 403
    assert SECRET not in answer.content.decode()
    assert "cannot be shown right now" in answer.content.decode()
    assert SOLUTION not in client.get(PAGE).content.decode()


def test_a_refused_version_shows_none(client, exercise):
    send(client, making.CORRECT)
    ExerciseVersion.objects.update(verification="refused")
    assert client.get(SOLUTION).status_code == 403


def test_no_other_page_holds_the_reference(client, exercise):
    row = send(client, making.CORRECT)
    for address in (
        PAGE,
        at("/exercises/"),
        row.get_absolute_url(),
        row.verdict_address,
        row.report_address,
    ):
        assert SECRET not in client.get(address).content.decode(), address
