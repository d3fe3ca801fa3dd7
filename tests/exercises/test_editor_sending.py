"""Sending code to the page: answers with and without a script, what is refused, how often."""

import re
from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.exercises import services
from quizzes.exercises.models import Submission, WorkerHeartbeat
from quizzes.learners.models import Learner
from tests.exercises import making
from tests.exercises.asking import (
    HTMX,
    PAGE,
    beat,
    post,
)

pytestmark = [pytest.mark.both_databases(postgresql="soak"), pytest.mark.django_db]


def test_without_javascript_a_post_leads_to_the_submissions_page(client, exercise):
    answer = post(client)
    row = Submission.objects.get()
    assert answer.status_code == 302
    assert answer.url == row.get_absolute_url() == f"{PAGE}submissions/{row.pk}/"
    text = client.get(answer.url).content.decode()
    assert "Waiting for the verdict" in text
    assert "Reload" in text


def test_with_javascript_a_post_answers_with_a_fragment_that_asks_again(client, exercise):
    beat()
    text = post(client, **HTMX).content.decode()
    row = Submission.objects.get()
    assert "<html" not in text
    address = f"{PAGE}submissions/{row.pk}/verdict/"
    assert f'data-ask="{address}?asked=1"' in text
    assert 'data-ask-after-ms="100"' in text
    for asked, delay in ((1, 200), (2, 400), (3, 1000), (4, 2000), (50, 2000)):
        assert f'ask-after-ms="{delay}"' in client.get(f"{address}?asked={asked}").content.decode()


def test_a_fragment_brings_a_new_key_for_the_next_try(client, exercise):
    key = uuid4()
    text = post(client, key=key, **HTMX).content.decode()
    (new,) = re.findall(r'id="form-key" value="([^"]+)"', text)
    assert new != str(key)


def test_the_queue_position_is_told(client, exercise):
    making.waiting(exercise)
    making.waiting(exercise)
    beat()
    assert "2 submissions are ahead of yours" in post(client, **HTMX).content.decode()


def test_a_double_click_is_one_row(client, exercise):
    key = uuid4()
    first, second = post(client, key=key), post(client, key=key)
    assert first.url == second.url
    assert Submission.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"code": "", "kind": "submit"}, "There is no code"),
        ({"code": "  \n", "kind": "submit"}, "There is no code"),
        ({"code": "x" * 20_001, "kind": "check"}, "20001 characters; the limit is 20000"),
        ({"code": "é\0", "kind": "check"}, "NUL"),
        ({"code": "x = 1", "kind": "cheat"}, "Choose Run, X-ray, Check or Submit"),
        ({"code": "x = 1"}, "Choose Run, X-ray, Check or Submit"),
        ({"code": "x = 1", "kind": "check", "key": "7"}, "no longer valid"),
        ({"code": "\U0001f600" * 16_000, "kind": "check"}, "64000 bytes; the limit is 60000"),
        ({}, "There is no code"),
    ],
)
def test_what_cannot_be_sent_is_a_400_that_says_why_and_keeps_the_code(
    client, exercise, fields, told
):
    page = client.post(PAGE, fields)
    fragment = client.post(PAGE, fields, **HTMX)
    assert (page.status_code, fragment.status_code) == (400, 400)
    assert told in page.content.decode()
    assert told in fragment.content.decode()
    assert not Submission.objects.exists()
    assert not Learner.objects.exists()
    if fields.get("code", "").startswith("x = 1"):
        assert "x = 1</textarea>" in page.content.decode()


def test_windows_line_ends_count_once(client, exercise):
    code = "x\r\n" * 9_999
    assert post(client, code=code).status_code == 302
    assert len(Submission.objects.get().code) == 19_998


def test_too_many_is_a_429_that_says_when(client, exercise, monkeypatch):
    now = timezone.now()  # on a busy machine a second passes between two posts
    monkeypatch.setattr(services, "timezone", SimpleNamespace(now=lambda: now))
    post(client, kind="check")
    page, fragment = post(client, kind="check"), post(client, kind="check", **HTMX)
    for answer in (page, fragment):
        assert answer.status_code == 429
        assert answer["Retry-After"] == "1"
        assert "once a second" in answer.content.decode()
    assert "x = 1</textarea>" in page.content.decode()
    assert "<html" not in fragment.content.decode()


def test_grading_that_is_off_is_said_with_the_reason_and_code_is_kept(client, exercise):
    page = client.get(PAGE).content.decode()
    assert "Grading is off" in page
    assert "<code>make run</code>" in page
    text = post(client, **HTMX).content.decode()
    assert "No worker is running" in text
    assert 'ask-after-ms="5000"' in text
    assert Submission.objects.count() == 1


def test_busy_machine_is_not_called_off(client, exercise):
    now = timezone.now()
    seen = now - timedelta(seconds=20)
    WorkerHeartbeat.objects.create(
        host="h", pid=1, seen_at=seen, self_test_at=now, self_test_ok=True
    )
    text = post(client, **HTMX).content.decode()
    assert "The grading machine is busy" in text
    assert "Grading is off" not in text
    assert 'ask-after-ms="100"' in text


def test_a_post_without_its_token_is_refused(exercise):
    strict = Client(enforce_csrf_checks=True)
    assert post(strict).status_code == 403
    assert not Submission.objects.exists()
