"""What the database itself refuses, and what never changes once stored."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from quizzes.exercises.models import Exercise, ExerciseVersion, Submission, WorkerHeartbeat
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def row():
    return making.waiting(making.ready_exercise())


IMPOSSIBLE = {
    "a verdict without a time": {"verdict": "correct"},
    "a time without a verdict": {"graded_at": timezone.now()},
    "a verdict nobody knows": {"verdict": "fine", "graded_at": timezone.now(), "report": {}},
    "a correct row that met no pack": {
        "verdict": "correct",
        "graded_at": timezone.now(),
        "report": {},
        "tries_used": 1,
    },
    "a fourth lease": {"tries_used": 4},
    "a lease of nobody": {"leased_until": timezone.now()},
    "a holder without a lease": {"leased_by": "worker"},
    "no code": {"code": ""},
    "too much code": {"code": "x" * 20_001},
    "a kind nobody knows": {"kind": "exam"},
}


@pytest.mark.parametrize("facts", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_the_database_refuses(row, facts):
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.filter(pk=row.pk).update(**facts)


def test_the_longest_code_fits(row):
    Submission.objects.filter(pk=row.pk).update(code="é" * 20_000)
    row.refresh_from_db()
    assert len(row.code) == 20_000


def test_stored_code_never_changes(row):
    row.code = "y = 2"
    with pytest.raises(ValueError, match="never changes"):
        row.save()
    row.refresh_from_db()
    assert row.code == "x = 1"


def test_a_stored_version_never_changes():
    version = making.ready_exercise().current
    version.files = {}
    with pytest.raises(ValueError, match="fixed"):
        version.save()


def test_one_number_is_one_version():
    version = making.ready_exercise().current
    with pytest.raises(IntegrityError), transaction.atomic():
        ExerciseVersion.objects.create(
            exercise=version.exercise, number=version.number, title="t", files={}, content_hash=""
        )


def test_an_exercise_nobody_answered_can_be_deleted_with_its_versions():
    making.ready_exercise().delete()
    assert not Exercise.objects.exists()
    assert not ExerciseVersion.objects.exists()


def test_an_answered_version_cannot_be_deleted(row):
    from django.db.models import ProtectedError

    with pytest.raises(ProtectedError):
        row.exercise_version.exercise.delete()


def test_a_worker_without_a_self_test_cannot_be_fit():
    with pytest.raises(IntegrityError), transaction.atomic():
        WorkerHeartbeat.objects.create(host="h", pid=1, seen_at=timezone.now(), self_test_ok=True)
