"""Handing code in: one row a form, limits, what is refused; and whether grading is on."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from quizzes.exercises import publishing
from quizzes.exercises.models import Submission, WorkerHeartbeat
from quizzes.exercises.queue import submission_limits
from quizzes.exercises.queue.submission_limits import TooMany
from quizzes.exercises.runs.rows import submit_run
from quizzes.exercises.services import (
    ExerciseClosed,
    grading_state,
    history,
    place_in_queue,
    queue_length,
)
from quizzes.learners.models import User
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def exercise():
    return making.ready_exercise()


def age_all(seconds: float) -> None:
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=seconds))


def grade_all() -> None:
    from quizzes.exercises.queue import leases

    while taken := leases.lease_next(worker="one"):
        leases.record(lease=taken, report=making.WRONG)


def signed_in_learner():
    learner = making.new_learner()
    learner.user = User.objects.create_user("ada")
    learner.save()
    return learner


def test_the_row_pins_the_version_and_keeps_the_code(exercise):
    row = making.hand_in(exercise, code="a = 1\n\n")
    row.refresh_from_db()
    assert (row.exercise_version, row.code) == (exercise.current, "a = 1\n\n")
    assert (row.verdict, row.tries_used, row.pack) == ("", 0, None)


def test_line_ends_are_one_newline(exercise):
    assert making.hand_in(exercise, code="a\r\nb\rc\n").code == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("first", "second", "rows"),
    [
        ({"code": "a\r\n"}, {"code": "a\n"}, 1),
        ({"code": "a = 1"}, {"code": "a = 2"}, 2),
        ({"kind": "check"}, {"kind": "submit"}, 2),
    ],
)
def test_a_form_sent_twice_is_one_row(exercise, first, second, rows):
    who = {"learner": making.new_learner(), "form_key": uuid4()}
    sent = {making.hand_in(exercise, **who, **fields).pk for fields in (first, second)}
    assert len(sent) == Submission.objects.count() == rows


def test_two_learners_may_send_the_same_form(exercise):
    key = uuid4()
    assert making.hand_in(exercise, form_key=key).pk != making.hand_in(exercise, form_key=key).pk


@pytest.mark.parametrize("code", ["x" * 20_001, "x\0", ""])
def test_code_that_cannot_be_kept_is_refused(exercise, code):
    with pytest.raises(ValidationError):
        making.hand_in(exercise, code=code)
    assert not Submission.objects.exists()


def test_checks_are_one_a_second(exercise):
    learner = making.new_learner()
    making.hand_in(exercise, learner, kind="check")
    with pytest.raises(TooMany, match="once a second") as refused:
        making.hand_in(exercise, learner, kind="check")
    assert refused.value.retry_after_seconds == 1
    making.hand_in(exercise, learner, kind="submit")  # another limit
    age_all(1.1)
    making.hand_in(exercise, learner, kind="check")


@pytest.mark.parametrize(("signed_in", "allowed"), [(False, 10), (True, 20)])
def test_submits_a_minute(exercise, signed_in, allowed):
    learner = signed_in_learner() if signed_in else making.new_learner()
    for _ in range(allowed):
        making.hand_in(exercise, learner)
        grade_all()
    with pytest.raises(TooMany, match=f"{allowed} times a minute") as refused:
        making.hand_in(exercise, learner)
    assert 10 < refused.value.retry_after_seconds <= 60  # a busy machine takes some for the rest
    assert ("With an account" in str(refused.value)) is not signed_in
    age_all(61)
    making.hand_in(exercise, learner)


@pytest.mark.parametrize("kind", ["check", "submit"])
def test_a_clock_put_back_an_hour_keeps_nobody_waiting(exercise, kind):
    learner = making.new_learner()
    for _ in range(10 if kind == "submit" else 1):
        making.hand_in(exercise, learner, kind=kind)
        grade_all()
    age_all(-3600)
    making.hand_in(exercise, learner, kind=kind)


def test_a_learner_has_four_rows_waiting_at_most(exercise):
    learner = signed_in_learner()
    for _ in range(4):
        making.hand_in(exercise, learner)
    with pytest.raises(TooMany, match="already waiting"):
        making.hand_in(exercise, learner)
    with pytest.raises(TooMany, match="Wait until they have run"):
        submit_run(learner=learner, code="x = 1")
    making.hand_in(exercise)  # others are not concerned


def test_a_crowd_without_accounts_is_bounded_and_leaves_room_for_accounts(exercise, monkeypatch):
    monkeypatch.setattr(submission_limits, "ANONYMOUS_WAITING_AT_ONCE", 2)
    making.hand_in(exercise)
    making.hand_in(exercise)
    with pytest.raises(TooMany, match="Too many"):
        making.hand_in(exercise)
    making.hand_in(exercise, signed_in_learner())


def test_an_exercise_being_verified_takes_code():
    exercise = making.unverified_exercise()
    assert making.hand_in(exercise).verdict == ""


def test_a_refused_exercise_takes_no_code():
    exercise = making.unverified_exercise()
    publishing.refuse(version=publishing.lease_unverified(), problems=["no"])
    exercise.refresh_from_db()
    with pytest.raises(ExerciseClosed):
        making.hand_in(exercise)


def test_history_holds_submits_newest_first_and_only_ones_own(exercise):
    learner = making.new_learner()
    first, second = (making.hand_in(exercise, learner, code=code) for code in "ab")
    making.hand_in(exercise, learner, kind="check")
    making.hand_in(exercise)
    assert list(history(exercise=exercise, learner=learner)) == [second, first]
    assert list(history(exercise=exercise, learner=None)) == []


def test_a_graded_row_has_no_place_in_the_queue(exercise):
    row = making.hand_in(exercise)
    grade_all()
    row.refresh_from_db()
    assert place_in_queue(submission=row) == 0


def beat(*, age: float = 0, ok: bool = True, detail: str = "") -> None:
    now = timezone.now()
    WorkerHeartbeat.objects.create(
        host="h",
        pid=1,
        seen_at=now - timedelta(seconds=age),
        self_test_at=now,
        self_test_ok=ok,
        detail=detail,
    )


def test_grading_is_off_without_a_worker():
    state = grading_state()
    assert not state.on
    assert "No worker is running" in state.why
    assert state.worker_age_seconds is None


@pytest.mark.parametrize(
    ("age", "ok", "on", "slow"),
    [
        (1, True, True, False),
        (20, True, True, True),
        (50, True, False, False),
        (20, False, False, False),
    ],
)
def test_short_silence_of_a_worker_is_slow(age: int, ok: bool, on: bool, slow: bool):
    """Busy machines lose some heartbeats; grading is off after many, or without a sandbox."""
    beat(age=age, ok=ok, detail="" if ok else "no bubblewrap")
    state = grading_state()
    assert (state.on, state.slow) == (on, slow)


def test_grading_is_off_when_the_last_worker_is_silent():
    """It may well run: what is known is since when nothing was written."""
    beat(age=60)
    state = grading_state()
    assert not state.on
    assert 59 < state.worker_age_seconds < 160
    since = WorkerHeartbeat.objects.get().seen_at.strftime("since %Y-%m-%d %H:%M:%S UTC")
    assert since in state.why
    assert "the database cannot be written" in state.why
    assert "No worker is running" not in state.why


def test_a_worker_of_a_clock_since_put_back_is_not_alive():
    beat(age=-3600)
    assert not grading_state().on


def test_grading_is_off_for_the_reason_the_worker_gives():
    beat(ok=False, detail="bubblewrap is missing")
    state = grading_state()
    assert (state.on, state.why) == (False, "bubblewrap is missing")
    assert "bubblewrap" not in state.public_why, "a worker's own words may name sizes and paths"
    assert "sandbox" in state.public_why


def test_one_worker_with_a_sandbox_is_enough(exercise, django_assert_max_num_queries):
    beat(ok=False, detail="bubblewrap is missing")
    beat(age=2)
    beat(age=500)
    making.hand_in(exercise)
    with django_assert_max_num_queries(1):
        state = grading_state()
    assert state.on
    assert queue_length() == 1
    assert state.verified_at is not None
    assert 1 < state.worker_age_seconds < 100, "of the latest sign of life"
