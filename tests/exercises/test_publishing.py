"""Versions on their way to learners: verified once, refused, their pools of packs filled."""

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.exercises import case_pack_pool, publishing
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion
from quizzes.exercises.queue import leases
from tests.courses import some_course
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_two_workers_never_verify_one_version():
    making.unverified_exercise()
    assert publishing.lease_unverified() is not None
    assert publishing.lease_unverified() is None


def test_a_verification_that_never_ends_is_refused_after_three():
    making.unverified_exercise()
    for _ in range(3):
        version = publishing.lease_unverified()
        assert version is not None
        publishing.give_back_version(version=version, failure="The sandbox broke: died")
    assert publishing.lease_unverified() is None
    version.refresh_from_db()
    assert version.verification == "refused"
    assert version.problems == [publishing.UNFINISHED, "The sandbox broke: died"]


def test_what_breaks_the_sandbox_is_verified_after_all_others():
    broken = making.unverified_exercise()
    making.hand_in(broken)
    other = Exercise.objects.create(course=some_course(), slug="other")
    publishing.add_version(
        exercise=other, definition=broken.current.definition, files=broken.current.files
    )
    first = publishing.lease_unverified()
    assert first == broken.current, "somebody waits for it"
    publishing.give_back_version(version=first, failure="The sandbox broke: died")
    order = [publishing.lease_unverified() for _ in range(2)]
    assert order == [other.current, broken.current]


def test_a_missing_author_sandbox_does_not_count():
    making.unverified_exercise()
    for _ in range(5):
        version = publishing.lease_unverified()
        assert version is not None
        publishing.give_back_version(version=version)


def test_a_late_verification_is_refused():
    making.unverified_exercise()
    late = publishing.lease_unverified()
    ExerciseVersion.objects.update(leased_until=None)
    second = publishing.lease_unverified()
    assert not publishing.accept(version=late, seed=1, data=b"", outline={})
    assert publishing.accept(version=second, seed=1, data=b"", outline={})
    assert CasePack.objects.count() == 1


def test_an_exercise_shows_its_first_version_while_it_is_verified():
    exercise = making.unverified_exercise()
    assert Exercise.objects.get().current == exercise.current
    assert exercise.current.verification == "waiting"


def test_a_noted_problem_leaves_the_packs_that_are_there():
    version = making.ready_exercise(packs=1).current
    publishing.note_problem(version=version, problem="cases.py:3: it raised")
    version.refresh_from_db()
    assert (version.verification, version.problems) == ("ok", ["cases.py:3: it raised"])
    assert case_pack_pool.version_with_low_pool() is None
    assert publishing.forget_problem(version=version)
    assert not publishing.forget_problem(version=version)
    assert case_pack_pool.version_with_low_pool() == version


def test_a_pack_that_comes_just_before_a_refusal_prevents_it():
    """Another worker may add it after this one looked for packs and before it refuses."""
    version = making.ready_exercise(packs=1).current
    CasePack.objects.update(retired_at=timezone.now())
    added = []

    def add_before_update(execute, sql, *rest):
        if sql.startswith('UPDATE "exercises_exerciseversion"') and not added:
            added.append(sql)
            CasePack.objects.create(version=version, seed=7, data=b"")
        return execute(sql, *rest)

    with connection.execute_wrapper(add_before_update):
        publishing.note_problem(version=version, problem="cases.py:3: it raised")
    assert added
    version.refresh_from_db()
    assert version.verification == "ok"


def test_a_version_without_packs_whose_packs_cannot_be_drawn_takes_no_more_code():
    exercise = making.ready_exercise(packs=1)
    row = making.waiting(exercise)
    case_pack_pool.retire_pack(pk=CasePack.objects.get().pk)
    publishing.note_problem(version=exercise.current, problem="cases.py:3: it raised")
    assert ExerciseVersion.objects.get().verification == "refused"
    assert leases.close_refused() == 1
    row.refresh_from_db()
    assert row.verdict == "not_graded"
