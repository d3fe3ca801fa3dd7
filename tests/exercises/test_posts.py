"""What a POST of code by a member of a class costs: a number of queries that may only fall."""

import re
from datetime import timedelta
from threading import BoundedSemaphore
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.exercises import views
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.queue import leases, long_poll
from quizzes.learners.models import Learner
from tests import factories
from tests.databases import on_postgresql
from tests.exercises import making
from tests.exercises.asking import HTMX, PAGE

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

# All of a Submit that is answered with a right verdict and the history: limits, the row, and the
# fragment; with BEGIN and COMMIT. PostgreSQL also locks the learner's row and stores a job.
MOST_QUERIES = 17 + 2 * on_postgresql()
ADDRESS = "198.51.100.7"  # one that limits count


@pytest.fixture
def member(exercise: Exercise) -> Client:
    """A browser of a member of a class with four assignments, this exercise closed among them."""
    cohort, past = factories.create_class(), timezone.now() - timedelta(days=3)
    member = factories.create_member(cohort)
    for name in ("first", "second"):
        factories.assign(cohort, factories.create_quiz(name))
    factories.assign(cohort, factories.create_lesson())
    factories.assign(cohort, exercise, due_at=past, closes_at=past)
    return factories.browser_of(member.user)


def submit(browser: Client) -> str:
    form = {"code": "x = 1", "kind": "submit", "key": str(uuid4()), "with": "history"}
    answer = browser.post(PAGE, form, REMOTE_ADDR=ADDRESS, **HTMX)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_post_to_verdict_takes_few_queries(member: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def grade(*, submission: Submission, **_: object) -> None:
        before = len(connection.queries_log)
        leases.record(lease=making.lease(), report=making.CORRECT)
        while len(connection.queries_log) > before:  # the worker's
            connection.queries_log.pop()

    monkeypatch.setattr(views, "wait_for_verdict", grade)
    submit(member)  # the first one of a process fills caches
    with CaptureQueriesContext(connection) as captured:
        text = submit(member)
    assert 'data-verdict="correct"' in text
    assert 'id="history"' in text
    counted = [query["sql"] for query in captured.captured_queries]
    assert len(counted) <= MOST_QUERIES, "\n".join(counted)


def test_post_without_a_place_asks_again(member: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_poll, "WAIT_SECONDS", 3600)
    monkeypatch.setattr(long_poll, "_places", BoundedSemaphore(0))
    assert re.search(r'data-ask="[^"]+"\s+data-ask-after-ms="\d+"', submit(member))


def test_answer_names_no_row_that_went_to_another_learner(
    member: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_away(*, submission: Submission, **_: object) -> None:
        Submission.objects.filter(pk=submission.pk).update(learner=Learner.objects.create())

    monkeypatch.setattr(views, "wait_for_verdict", give_away)
    form = {"code": "x = 1", "kind": "submit", "key": str(uuid4())}
    assert member.post(PAGE, form, **HTMX).status_code == 404
