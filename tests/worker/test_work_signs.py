"""An idle preparer asks one query; what was written makes it look at everything."""

import threading
from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.assessment.models import Question, QuestionVersion, WantedInstance
from quizzes.exercises.case_pack_pool import version_with_low_pool
from quizzes.exercises.models import CasePack
from quizzes.worker import background, work_signs
from quizzes.worker.work_signs import WorkSigns
from tests.courses import some_course
from tests.databases import on_postgresql
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

EVERYTHING = ["reserved", "packs", "instances", "wanted", "early"]


@pytest.fixture
def looks(exercise, monkeypatch):
    """A preparer that has looked at everything; `looks.at` names what it has looked at since."""
    CasePack.objects.update(uses=0)
    subject = background.Preparer(stopping=threading.Event(), keep_lease=nullcontext)
    subject.at = []

    def note(name):
        def look():
            subject.at.append(name)
            return False

        return look

    for name in EVERYTHING:
        monkeypatch.setattr(subject, f"_{name}", note(name))
    subject._look()
    assert subject.at == EVERYTHING
    subject.at.clear()
    return subject


def add_question():
    question = Question.objects.create(course=some_course(), slug="new")
    QuestionVersion.objects.create(question=question, number=1, prompt="?")


def want_numbers():
    add_question()
    WantedInstance.objects.create(version=QuestionVersion.objects.get(), seed=1)


def add_exercise():
    making.unverified_exercise("another")


def test_idle_look_is_one_small_query(looks, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert looks._look() is False
    assert looks.at == []


@pytest.mark.parametrize("write", [add_question, want_numbers, add_exercise])
def test_written_content_makes_it_look_once(looks, write, monkeypatch):
    monkeypatch.setattr(looks, "_verification", lambda: False)
    write()
    looks._look()
    assert looks.at == EVERYTHING
    looks._look()
    assert looks.at == EVERYTHING


def test_used_pack_makes_it_look_at_packs(looks):
    looks._packs_used.set()
    looks._look()
    looks._look()
    assert looks.at == ["reserved", "packs"]


def test_submission_without_pack_is_looked_at_until_leased(looks, exercise):
    row = making.waiting(exercise, own_pack=True)
    looks._look()
    looks._look()
    assert looks.at == 2 * ["reserved", "packs"]
    type(row).objects.filter(pk=row.pk).update(
        leased_until=timezone.now() + timedelta(seconds=9), leased_by="a worker"
    )
    looks._look()
    assert looks.at == 2 * ["reserved", "packs"]


def test_everything_is_looked_at_twice_a_minute(looks, monkeypatch):
    now = work_signs.time.monotonic() + work_signs.LOOK_ANYWAY_SECONDS
    monkeypatch.setattr(work_signs.time, "monotonic", lambda: now)
    looks._look()
    assert looks.at == EVERYTHING


def test_version_to_verify_is_a_sign():
    some_course()
    signs = WorkSigns()
    signs.read()
    assert not signs.is_version_waiting
    making.unverified_exercise()
    signs.read()
    assert signs.is_version_waiting


def test_signs_stay_while_work_goes_on(looks, monkeypatch):
    results = iter([True, False, False])
    monkeypatch.setattr(looks, "_packs", lambda: next(results))
    looks._packs_used.set()
    assert looks._look() is True
    looks._look()
    assert looks.at == ["reserved", *(name for name in EVERYTHING if name != "packs")]


def test_change_while_everything_is_looked_at_is_news(exercise):
    signs = WorkSigns()
    signs.read()
    assert signs.is_look_due()
    add_question()  # as if another process wrote while this one looks
    signs.read()
    assert signs.is_look_due()
    signs.read()
    assert not signs.is_look_due()


@pytest.mark.skipif(on_postgresql(), reason="it plans by the number of rows")
def test_signs_are_read_from_indexes_alone(exercise):
    statement = work_signs._signs()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statement.sql}", statement.bind())
        plan = [row[3] for row in cursor.fetchall()]
    scans = [step for step in plan if step.startswith("SCAN") and "INDEX" not in step]
    assert scans == ["SCAN U0"], "it ends with the last row of numbers that are wanted"
    for index in ("courses_by_content_token", "versions_to_verify", "submissions_"):
        assert index in " ".join(plan)


@pytest.mark.skipif(on_postgresql(), reason="its rows hold long values elsewhere")
def test_pool_is_counted_on_its_index_alone(exercise, django_assert_num_queries):
    with django_assert_num_queries(1) as queries:
        version_with_low_pool()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
        plan = [row[3] for row in cursor.fetchall()]
    packs = [step for step in plan if "packs_of_a_pool" in step]
    assert packs
    assert all("COVERING INDEX" in step for step in packs), plan
