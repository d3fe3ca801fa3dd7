"""Grading again: the old verdict stays in the record, and the row goes through the queue anew."""

from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.exercises import publishing
from quizzes.exercises.models import Exercise, PreviousVerdict
from quizzes.exercises.queue import leases
from quizzes.exercises.services import grade_again, our_failures
from quizzes.grader.definitions.definition import read_definition
from quizzes.grader.judge.report import KnownMistake, Report, Verdict
from quizzes.learners.models import ReviewCard, User
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MISTAKE = KnownMistake("swap", "mistake", "Sines and cosines change places.", None, "2.")
NAMED = Report(Verdict.KNOWN_MISTAKE, known_mistake=MISTAKE)


def graded(exercise, report=making.WRONG):
    row = making.waiting(exercise)
    leases.record(lease=making.lease(), report=report)
    row.refresh_from_db()
    return row


def not_graded(exercise):
    row = making.waiting(exercise)
    for _ in range(3):
        leases.give_back(lease=making.lease(), failure="the machine burnt")
    row.refresh_from_db()
    return row


def test_the_old_verdict_stays_in_the_record_and_a_new_one_comes(exercise):
    teacher = User.objects.create_user("teacher")
    row = graded(exercise, NAMED)
    assert row.known_mistake == "swap"
    assert grade_again(submission=row, by=teacher)
    row.refresh_from_db()
    assert (row.verdict, row.report, row.known_mistake, row.tries_used) == ("", None, "", 0)
    leases.record(lease=making.lease(), report=making.CORRECT)
    row.refresh_from_db()
    assert row.verdict == "correct"
    (kept,) = row.previous_verdicts.all()
    assert (kept.verdict, kept.asked_by) == ("known_mistake", teacher)
    assert kept.report["known_mistake"]["slug"] == "swap"


def test_the_same_cases_are_met_again(exercise):
    row = graded(exercise)
    for _ in range(4):
        grade_again(submission=row)
        taken = making.lease()
        assert taken.pack_id == row.pack_id
        leases.record(lease=taken, report=making.WRONG)
    assert PreviousVerdict.objects.count() == 4


def test_what_failed_on_our_side_meets_other_cases_and_is_listed_until_then(exercise):
    row = not_graded(exercise)
    assert [(one.pk, one.our_failure) for one in our_failures()] == [(row.pk, "the machine burnt")]
    assert grade_again(submission=row)
    row.refresh_from_db()
    assert (row.pack, row.our_failure, list(our_failures())) == (None, "", [])
    assert row.previous_verdicts.get().our_failure == "the machine burnt"


def test_what_waits_already_is_left_alone(exercise):
    row = making.waiting(exercise)
    assert not grade_again(submission=row)
    making.lease()
    assert not grade_again(submission=row)
    assert not PreviousVerdict.objects.exists()


def test_asked_twice_it_is_graded_once(exercise):
    row = graded(exercise)
    assert grade_again(submission=row)
    assert not grade_again(submission=row)


def test_a_worker_that_froze_before_cannot_write_into_the_new_round(exercise):
    row = making.waiting(exercise)
    frozen = making.lease("frozen")
    making.let_leases_lapse()
    leases.record(lease=making.lease("second"), report=making.WRONG)
    row.refresh_from_db()
    grade_again(submission=row)
    again = making.lease("third")
    assert again.number == frozen.number
    assert not leases.record(lease=frozen, report=making.WRONG)
    assert leases.record(lease=again, report=making.CORRECT)


def test_a_solved_exercise_stays_solved(exercise):
    row = graded(exercise, making.CORRECT)
    grade_again(submission=row)
    leases.record(lease=making.lease(), report=making.WRONG)
    assert row.learner.progress.get().state == "done"


def test_a_row_of_a_refused_version_is_graded_by_the_one_that_came_after():
    exercise = making.unverified_exercise()
    row = making.hand_in(exercise)
    publishing.refuse(version=publishing.lease_unverified(), problems=["reference.py: no"])
    leases.close_refused()
    files = exercise.current.files | {"statement.md": exercise.current.files["statement.md"] + "!"}
    publishing.add_version(
        exercise=Exercise.objects.get(),
        definition=read_definition("sinusoidal-table", files),
        files=files,
    )
    new = publishing.lease_unverified()
    publishing.accept(version=new, seed=5, data=b"", outline={"shown": [], "hidden": 6})
    row.refresh_from_db()
    assert grade_again(submission=row)
    row.refresh_from_db()
    assert row.exercise_version == new
    assert row.previous_verdicts.get().exercise_version.number == 1
    assert making.lease().submission.pk == row.pk


def test_what_an_instructor_has_graded_again_is_no_new_lapse(exercise):
    row = graded(exercise, NAMED)
    ReviewCard.objects.update(reviews=4, due_at=timezone.now() + timedelta(days=9))
    before = ReviewCard.objects.values().get()
    grade_again(submission=row)
    leases.record(lease=making.lease(), report=NAMED)
    assert ReviewCard.objects.values().get() == before


def test_a_mistake_first_seen_after_a_failure_of_ours_is_a_lapse(exercise):
    grade_again(submission=not_graded(exercise))
    leases.record(lease=making.lease(), report=NAMED)
    assert ReviewCard.objects.get().slug == "sinusoidal-table/swap"
