"""/metrics: for whoever has the token, true numbers, whatever the database does."""

import re
from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from quizzes.exercises.models import Submission, WorkerHeartbeat
from quizzes.learners.models import Learner
from quizzes.operations import metrics
from tests.exercises.making import ready_exercise, waiting
from tests.study.questions import submission_with_mistake

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TOKEN = "a-token-of-enough-letters"
HOUR = timedelta(hours=1)
WITH_TOKEN = {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}


@pytest.fixture(autouse=True)
def token(settings):
    settings.METRICS_TOKEN = TOKEN


def numbers(client: Client) -> dict[str, float]:
    answer = client.get("/metrics", **WITH_TOKEN)
    assert answer.status_code == 200
    found = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


@pytest.mark.parametrize(
    "sent", ["", TOKEN, "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \udcff"]
)
def test_only_the_token_reads_them(client, sent):
    answer = client.get("/metrics", HTTP_AUTHORIZATION=sent)
    assert answer.status_code == 401
    assert b"ordinal_" not in answer.content


def test_without_a_token_there_is_no_such_page(client):
    with override_settings(METRICS_TOKEN=""):
        for sent in ("Bearer ", "Bearer", ""):
            assert client.get("/metrics", HTTP_AUTHORIZATION=sent).status_code == 404
    assert client.post("/metrics", **WITH_TOKEN).status_code == 405


@pytest.mark.parametrize("host", ["10.0.0.5:8000", "web:8000", "[fd00::5]:8000", "a b"])
def test_a_machine_is_asked_by_any_name_and_a_page_is_not(client, host):
    assert client.get("/metrics", **WITH_TOKEN, HTTP_HOST=host).status_code == 200
    assert client.get("/healthz", HTTP_HOST=host).status_code == 200
    assert client.get("/", HTTP_HOST=host).status_code == 400


def test_queue_workers_and_verdicts_are_those_of_the_database(client):
    learner = Learner.objects.create()
    exercise = ready_exercise()
    submission_with_mistake(learner, exercise)
    row = waiting(exercise)
    Submission.objects.filter(pk=row.pk).update(submitted_at=timezone.now() - timedelta(seconds=50))
    now = timezone.now()
    for host, seen_at, works in (("a", now, True), ("b", now, False), ("c", now - HOUR, True)):
        WorkerHeartbeat.objects.create(
            host=host, pid=1, seen_at=seen_at, self_test_at=now, self_test_ok=works, detail="x"
        )
    found = numbers(client)
    assert found["ordinal_queue_length"] == 1
    assert 49 < found["ordinal_queue_oldest_seconds"] < 120
    assert found["ordinal_workers"] == 2
    assert found["ordinal_workers_grading"] == 1
    assert found["ordinal_verdicts_recent{verdict=known_mistake}"] == 1
    assert found["ordinal_unclaimed_learners"] == Learner.objects.filter(user=None).count()
    assert found["ordinal_database_up"] == 1


def test_verdicts_of_before_a_clock_was_put_back_are_not_recent(client):
    submission_with_mistake(Learner.objects.create(), ready_exercise())
    Submission.objects.update(graded_at=timezone.now() + HOUR)
    assert not [name for name in numbers(client) if "verdicts_recent{" in name]


def test_verdicts_are_told_however_many_wait(client, monkeypatch):
    monkeypatch.setattr(metrics, "MOST_RECENT_ROWS", 2)
    exercise = ready_exercise()
    submission_with_mistake(Learner.objects.create(), exercise)
    for slow in (True, True, False):
        waiting(exercise, slow=slow)
    found = numbers(client)
    assert (found["ordinal_queue_length"], found["ordinal_slow_lane_length"]) == (3, 2)
    assert found["ordinal_verdicts_recent{verdict=known_mistake}"] == 1
    assert "ordinal_verdict_seconds{quantile=0.5}" in found


def test_a_scrape_asks_a_constant_number_of_questions(client, django_assert_num_queries):
    with django_assert_num_queries(7):
        client.get("/metrics", **WITH_TOKEN)


def test_without_a_database_it_says_so(client, monkeypatch):
    def fail(*_):
        raise DatabaseError("gone")

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", fail)
    found = numbers(client)
    assert found["ordinal_database_up"] == 0
    assert "ordinal_queue_length" not in found
    assert any(name.startswith("ordinal_disk_free_bytes") for name in found)


def test_requests_are_counted_by_view_and_no_address_becomes_a_label(client):
    before = numbers(client).get("ordinal_requests_total{method=GET,status=404,view=none}", 0)
    for number in range(3):
        client.get(f"/no/such/page/{number}")
    client.generic("HACK", "/no/such/page")
    found = numbers(client)
    assert found["ordinal_requests_total{method=GET,status=404,view=none}"] == before + 3
    assert not [name for name in found if "no/such" in name or "HACK" in name]
    assert any(
        re.search(r"request_seconds_bucket\{.*view=operations:metrics", name) for name in found
    )
