"""Pools of case packs: when they lack some, how they grow, and what is forgotten."""

import threading
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from quizzes.exercises import leases, pools, preparing
from quizzes.exercises.models import CasePack, ExerciseVersion
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_the_pool_fills_and_a_worn_pack_makes_way(settings):
    exercise = making.ready_exercise(packs=settings.CASE_PACKS)
    assert pools.version_with_thin_pool() is None
    worn = CasePack.objects.order_by("pk").first()
    CasePack.objects.filter(pk=worn.pk).update(uses=pools.WORN_AFTER)
    assert pools.version_with_thin_pool() == exercise.current
    pools.add_pack(version=exercise.current, seed=99, data=b"")
    worn.refresh_from_db()
    assert worn.retired_at is not None
    assert CasePack.objects.filter(retired_at=None).count() == settings.CASE_PACKS
    assert pools.version_with_thin_pool() is None


def tries(learner, exercise, count):
    """Packs met, one try after another; before each the preparer has made what is asked for."""
    met = []
    for _ in range(count):
        while version := pools.version_with_thin_pool():
            pools.add_pack(version=version, seed=1000 + CasePack.objects.count(), data=b"")
        making.waiting(exercise, learner=learner)
        taken = making.lease()
        met.append(taken.pack_id)
        leases.record(lease=taken, report=making.WRONG)
    return met


def test_who_submits_often_meets_no_pack_twice_and_the_pool_stays_bounded(settings):
    settings.CASE_PACKS, settings.MOST_CASE_PACKS = 6, 20
    exercise, learner = making.ready_exercise(packs=6), making.new_learner()
    met = []
    for _ in range(4):
        met += tries(learner, exercise, 15)
        assert CasePack.objects.filter(retired_at=None).count() <= settings.MOST_CASE_PACKS
        CasePack.objects.update(made_at=F("made_at") - timedelta(days=2))
    assert len(set(met)) == len(met) == 60


def test_who_submits_all_day_meets_again_what_was_met_longest_ago(settings):
    settings.CASE_PACKS, settings.MOST_CASE_PACKS = 6, 9
    exercise, learner = making.ready_exercise(packs=6), making.new_learner()
    met = tries(learner, exercise, 40)
    assert CasePack.objects.count() == 9, "each is kept for ever"
    assert met[9:18] == met[:9]


def test_a_lower_bound_is_kept_from_then_on(settings):
    settings.CASE_PACKS, settings.MOST_CASE_PACKS = 6, 20
    exercise, learner = making.ready_exercise(packs=6), making.new_learner()
    tries(learner, exercise, 30)
    settings.MOST_CASE_PACKS = 8
    CasePack.objects.update(made_at=F("made_at") - timedelta(days=2))
    tries(learner, exercise, 10)
    assert CasePack.objects.filter(retired_at=None).count() <= 12
    today = CasePack.objects.filter(made_at__gt=timezone.now() - pools.A_DAY)
    assert today.count() <= settings.MOST_CASE_PACKS


def test_a_pool_that_must_not_grow_is_used_again(settings):
    settings.CASE_PACKS = settings.MOST_CASE_PACKS = 1
    exercise = making.ready_exercise(packs=1)
    learner = making.new_learner()
    for _ in range(3):
        making.waiting(exercise, learner=learner)
        leases.record(lease=making.lease(), report=making.WRONG)
    assert pools.version_with_thin_pool() is None
    assert CasePack.objects.get().uses == 3


def test_those_who_meet_little_let_the_pool_be(settings):
    exercise = making.ready_exercise(packs=settings.CASE_PACKS)
    for _ in range(5):
        making.waiting(exercise)
        leases.record(lease=making.lease(), report=making.WRONG)
    assert ExerciseVersion.objects.get().packs_wanted == 0
    assert pools.version_with_thin_pool() is None


def test_retired_packs_are_forgotten_once_no_submission_names_them():
    exercise = making.ready_exercise(packs=3)
    making.waiting(exercise)
    named = making.lease().pack_id
    unnamed = CasePack.objects.exclude(pk=named).first().pk
    kept = CasePack.objects.exclude(pk__in=[named, unnamed]).get().pk
    for pk in (named, unnamed):
        pools.retire_pack(pk=pk)
    now = timezone.now()
    assert pools.forget_packs(retired_before=now - timedelta(hours=1)) == 0
    assert pools.forget_packs(retired_before=now + timedelta(hours=1)) == 1
    assert set(CasePack.objects.values_list("pk", flat=True)) == {named, kept}


@pytest.mark.parametrize(("packs", "wanting"), [(pools.AHEAD, False), (pools.AHEAD - 1, True)])
def test_while_people_wait_worn_packs_do_but_a_few_there_must_be(packs, wanting):
    exercise = making.ready_exercise(packs=packs)
    CasePack.objects.update(uses=pools.WORN_AFTER)
    assert pools.version_with_thin_pool() == exercise.current
    preparer = preparing.Preparer(stopping=threading.Event())
    assert preparer._thinnest() == exercise.current
    for _ in range(preparing.CROWD):
        making.waiting(exercise)
    assert preparer._thinnest() == (exercise.current if wanting else None)
