"""Versions on their way to learners: verified once, refused, their pools of packs filled."""

import contextlib
import threading

import pytest

from quizzes.exercises import pools, preparing, publishing
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion
from quizzes.grader.errors import SandboxBroken
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
    other = Exercise.objects.create(slug="other")
    publishing.add_version(
        exercise=other, definition=broken.current.definition, files=broken.current.files
    )
    first = publishing.lease_unverified()
    assert first == broken.current, "somebody waits for it"
    publishing.give_back_version(version=first, failure="The sandbox broke: died")
    order = [publishing.lease_unverified() for _ in range(2)]
    assert order == [other.current, broken.current]


def test_a_pool_that_cannot_be_filled_holds_up_no_other(monkeypatch, settings):
    exercise = making.ready_exercise(packs=1)
    broken, other = exercise.current, Exercise.objects.create(slug="other")
    version = publishing.add_version(
        exercise=other, definition=broken.definition, files=broken.files
    )
    publishing.accept(version=publishing.lease_unverified(), seed=1, data=b"", outline={})
    pools.add_pack(version=version, seed=2, data=b"")
    looked_at = []

    def add_packs(_self, looked):
        looked_at.append(looked)
        if looked == broken:
            raise SandboxBroken("died")

    monkeypatch.setattr(preparing.Preparer, "_add_packs", add_packs)
    settings.CASE_PACKS = 5
    preparer = preparing.Preparer(stopping=threading.Event())
    for failing in (True, False):
        with pytest.raises(SandboxBroken) if failing else contextlib.nullcontext():
            preparer._look_at_exercises()
    assert looked_at == [broken, version]
    settings.CASE_PACKS = 2  # the other one's is full
    for _ in range(preparing.FILL_TRIES - 1):
        with pytest.raises(SandboxBroken):
            preparer._look_at_exercises()
    preparer._look_at_exercises()
    assert looked_at == [broken, version, broken, broken]


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
