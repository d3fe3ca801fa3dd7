"""Pools of case packs: when they lack some, how they grow, and what is forgotten."""

from datetime import timedelta
from functools import lru_cache

import pytest
from django.db.models import F
from django.utils import timezone

from quizzes.exercises import case_pack_pool, reserved_packs
from quizzes.exercises.models import CasePack, ExerciseVersion, Submission
from quizzes.exercises.queue import leases
from quizzes.grader.api import BadFrame
from quizzes.worker import background
from tests.exercises import making
from tests.exercises.newer_version import mended

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_the_pool_fills_and_an_exhausted_pack_makes_way(settings):
    exercise = making.ready_exercise(packs=settings.CASE_PACKS)
    assert case_pack_pool.version_with_low_pool() is None
    exhausted = CasePack.objects.order_by("pk").first()
    CasePack.objects.filter(pk=exhausted.pk).update(uses=case_pack_pool.EXHAUSTED_AFTER)
    assert case_pack_pool.version_with_low_pool() == exercise.current
    case_pack_pool.add_pack(version=exercise.current, seed=99, data=b"")
    exhausted.refresh_from_db()
    assert exhausted.retired_at is not None
    assert CasePack.objects.filter(retired_at=None).count() == settings.CASE_PACKS
    assert case_pack_pool.version_with_low_pool() is None


def test_code_that_waits_for_an_older_version_gets_packs():
    """As after an upgrade that retired all packs and loaded a newer version."""
    exercise = making.ready_exercise()
    older = exercise.current
    row = making.waiting(exercise)
    newer = mended(exercise).current
    CasePack.objects.filter(version=older).update(retired_at=timezone.now())
    for seed in range(2, 2 + case_pack_pool.AHEAD):
        case_pack_pool.add_pack(version=newer, seed=seed, data=b"")
    assert leases.lease_next(worker="w") is None
    assert case_pack_pool.version_with_low_pool(allow_reused=True) == older
    case_pack_pool.add_pack(version=older, seed=99, data=b"")
    making.engine().put_missing()
    assert making.lease().submission.pk == row.pk
    Submission.objects.all().delete()
    assert case_pack_pool.version_with_low_pool(allow_reused=True) is None


def tries(learner, exercise, count):
    """Packs met, one try after another; before each the preparer has made what is asked for."""
    met = []
    for _ in range(count):
        while version := case_pack_pool.version_with_low_pool():
            case_pack_pool.add_pack(version=version, seed=1000 + CasePack.objects.count(), data=b"")
        making.waiting(exercise, learner=learner)
        taken = making.lease()
        met.append(taken.pack_id)
        leases.record(lease=taken, report=making.WRONG)
    return met


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.slow
def test_a_learner_who_submits_often_meets_no_pack_twice_and_the_pool_stays_bounded(settings):
    settings.CASE_PACKS, settings.MOST_CASE_PACKS = 6, 20
    exercise, learner = making.ready_exercise(packs=6), making.new_learner()
    met = []
    for _ in range(4):
        met += tries(learner, exercise, 15)
        assert CasePack.objects.filter(retired_at=None).count() <= settings.MOST_CASE_PACKS
        CasePack.objects.update(made_at=F("made_at") - timedelta(days=2))
    assert len(set(met)) == len(met) == 60


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.slow
def test_a_learner_who_submits_all_day_meets_the_oldest_packs_again(settings):
    settings.CASE_PACKS, settings.MOST_CASE_PACKS = 6, 9
    exercise, learner = making.ready_exercise(packs=6), making.new_learner()
    met = tries(learner, exercise, 40)
    assert CasePack.objects.count() == 9, "each is kept for ever"
    assert met[9:18] == met[:9]


@pytest.mark.slow
def test_a_lower_bound_is_kept_from_then_on(settings):
    settings.CASE_PACKS, settings.MOST_CASE_PACKS = 6, 20
    exercise, learner = making.ready_exercise(packs=6), making.new_learner()
    tries(learner, exercise, 30)
    settings.MOST_CASE_PACKS = 8
    CasePack.objects.update(made_at=F("made_at") - timedelta(days=2))
    tries(learner, exercise, 10)
    assert CasePack.objects.filter(retired_at=None).count() <= 12
    today = CasePack.objects.filter(made_at__gt=timezone.now() - case_pack_pool.A_DAY)
    assert today.count() <= settings.MOST_CASE_PACKS


def test_a_pool_that_must_not_grow_is_used_again(settings, django_capture_on_commit_callbacks):
    settings.CASE_PACKS = settings.MOST_CASE_PACKS = 1
    exercise = making.ready_exercise(packs=1)
    learner = making.new_learner()
    for _ in range(3):
        making.waiting(exercise, learner=learner)
        with django_capture_on_commit_callbacks(execute=True):
            leases.record(lease=making.lease(), report=making.WRONG)
    assert case_pack_pool.version_with_low_pool() is None
    assert CasePack.objects.get().uses == 3


def test_those_who_meet_little_let_the_pool_be(settings):
    exercise = making.ready_exercise(packs=settings.CASE_PACKS)
    for _ in range(5):
        making.waiting(exercise)
        leases.record(lease=making.lease(), report=making.WRONG)
    assert ExerciseVersion.objects.get().packs_wanted == 0
    assert case_pack_pool.version_with_low_pool() is None


def test_retired_packs_are_forgotten_once_no_submission_names_them():
    exercise = making.ready_exercise(packs=3)
    making.waiting(exercise)
    named = making.lease().pack_id
    unnamed = CasePack.objects.exclude(pk=named).first().pk
    kept = CasePack.objects.exclude(pk__in=[named, unnamed]).get().pk
    for pk in (named, unnamed):
        case_pack_pool.retire_pack(pk=pk)
    now = timezone.now()
    assert case_pack_pool.forget_packs(retired_before=now - timedelta(hours=1)) == 0
    assert case_pack_pool.forget_packs(retired_before=now + timedelta(hours=1)) == 1
    assert set(CasePack.objects.values_list("pk", flat=True)) == {named, kept}


@pytest.mark.parametrize(
    ("packs", "wanting"), [(case_pack_pool.AHEAD, False), (case_pack_pool.AHEAD - 1, True)]
)
def test_while_people_wait_exhausted_packs_do_but_a_few_there_must_be(packs, wanting):
    exercise = making.ready_exercise(packs=packs)
    CasePack.objects.update(uses=case_pack_pool.EXHAUSTED_AFTER)
    assert case_pack_pool.version_with_low_pool() == exercise.current
    pool = background.CasePackPool()
    assert pool.lowest() == exercise.current
    for _ in range(background.CROWD):
        making.waiting(exercise)
    assert pool.lowest() == (exercise.current if wanting else None)


@pytest.mark.parametrize("own", [False, True])
def test_packs_are_read_before_they_are_met(own, monkeypatch):
    exercise, read = making.ready_exercise(packs=6), []
    for name in ("read_pack", "read_own_pack"):
        monkeypatch.setattr(case_pack_pool, name, lru_cache(maxsize=64)(read.append))
    for seed in range(50, 56 if own else 50):
        reserved_packs.store(version=exercise.current, seed=seed, data=b"cases")
    case_pack_pool.read_ahead()
    assert read == []  # nobody has submitted anything
    making.waiting(exercise)
    for _ in range(4):
        before = len(read)
        case_pack_pool.read_ahead()
        assert len(read) - before <= case_pack_pool.READ_AT_ONCE
    assert sorted(read) == sorted(CasePack.objects.values_list("pk", flat=True))


def test_packs_that_cannot_be_read_stop_nobody(monkeypatch):
    exercise, read = making.ready_exercise(packs=3), []

    def fail(pk):
        read.append(pk)
        raise BadFrame("a damaged pack")

    monkeypatch.setattr(case_pack_pool, "read_pack", lru_cache(maxsize=64)(fail))
    making.waiting(exercise)
    case_pack_pool.read_ahead()
    assert sorted(read) == sorted(CasePack.objects.values_list("pk", flat=True))
