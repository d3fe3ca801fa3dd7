"""Compiled queries find and change what their querysets do."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from quizzes import statements
from quizzes.exercises.models import CasePack, Submission
from quizzes.statements import Param, Reader, TimeParam
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def rows():
    """Submissions stored at eleven, noon and one o'clock."""
    exercise = making.ready_exercise(packs=2)
    stored = [making.waiting(exercise) for _ in range(3)]
    for row, hours in zip(stored, (-1, 0, 1), strict=True):
        Submission.objects.filter(pk=row.pk).update(submitted_at=NOON + hours * HOUR)
    return stored


def test_one_statement_serves_every_value(rows):
    since = statements.select(
        Submission.objects.filter(submitted_at__gte=TimeParam("at") - HOUR)
        .order_by("pk")
        .values_list("pk")
    )
    for hours, expected in ((0, rows), (1, rows[1:]), (2, rows[2:]), (3, [])):
        assert since.rows(at=NOON + hours * HOUR) == [(row.pk,) for row in expected]


def test_a_change_counts_what_it_changed(rows):
    due = statements.update(
        Submission.objects.filter(pk=Param("row"), tries_used=Param("tries_used")),
        scheduled_for=TimeParam("now") + HOUR,
        tries_used=F("tries_used") + 1,
    )
    assert due.change(row=rows[1].pk, tries_used=0, now=NOON) == 1
    assert due.change(row=rows[1].pk, tries_used=0, now=NOON) == 0
    changed = Submission.objects.get(pk=rows[1].pk)
    assert (changed.tries_used, changed.scheduled_for) == (1, NOON + HOUR)
    assert set(Submission.objects.exclude(pk=changed.pk).values_list("tries_used", flat=True)) == {
        0
    }


@pytest.mark.parametrize("slow_too", [False, True])
def test_the_queue_compiled_is_the_queue(rows, slow_too):
    waiting = statements.select(Submission.objects.waiting(TimeParam("now"), slow_too=slow_too))
    Submission.objects.filter(pk=rows[0].pk).update(slow=True)
    for now in (NOON, timezone.now()):
        plain = [row.pk for row in Submission.objects.waiting(now, slow_too=slow_too)]
        found = Submission.objects.raw(waiting.sql, waiting.bind(now=now))
        assert [row.pk for row in found] == plain
        assert len(plain) == 3


def test_reader_reads_what_the_queryset_does(rows):
    """Objects with all that is fetched with them, and tuples of values as the fields have them."""
    since = Submission.objects.filter(submitted_at__gte=TimeParam("at")).order_by("pk")
    whole = Reader(
        since.select_related("exercise_version__exercise", "pack")
        .defer("code", "exercise_version__files")
        .annotate(is_late=Exists(CasePack.objects.filter(pk=OuterRef("pack"))))
    )
    values = Reader(since.values_list("pk", "submitted_at", "key"))
    for hours, expected in ((-1, rows), (0, rows[1:]), (2, [])):
        at = NOON + hours * HOUR
        read = whole.read(at=at)
        assert read == list(expected)
        for row in read:
            assert "code" in row.get_deferred_fields()
            assert row.exercise_version.exercise == rows[0].exercise_version.exercise
            assert (row.pack, row.is_late) == (None, False)
        plain = Submission.objects.filter(submitted_at__gte=at).order_by("pk")
        assert values.read(at=at) == list(plain.values_list("pk", "submitted_at", "key"))
    assert whole.first(at=NOON) == rows[1]
    assert whole.first(at=NOON + 2 * HOUR) is None


def test_reader_reads_a_union(rows):
    both = Submission.objects.filter(pk=Param("row")).order_by().values_list("pk")
    reader = Reader(both.union(both, all=True))
    assert reader.read(row=rows[0].pk) == [(rows[0].pk,)] * 2


def test_a_value_that_nobody_told_is_named():
    pack = statements.select(CasePack.objects.filter(pk=Param("pack")))
    with pytest.raises(KeyError, match="pack"):
        pack.rows(row=1)


def test_a_column_that_is_none_is_named():
    with pytest.raises(ValueError, match="CasePack has no columns sede"):
        statements.insert_missing(CasePack, version_id=1, sede=1)
