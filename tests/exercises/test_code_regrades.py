"""Submissions graded by a newer version: beside first, applied in chunks, undone."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random

import pytest
from django.core import serializers
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from quizzes.exercises.code_regrades import services, trials
from quizzes.exercises.code_regrades.changes import changes_of, summary_of
from quizzes.exercises.code_regrades.services import apply_trials, decline_trials, undo_trials
from quizzes.exercises.code_regrades.trials import (
    CodeRegradeRefusedError,
    CodeScope,
    begin,
    cancel,
    give_back_trial,
    lease_trial,
    record_trial,
)
from quizzes.exercises.models import (
    CasePicture,
    CodeRegrade,
    Exercise,
    PreviousVerdict,
    Submission,
    TrialVerdict,
)
from quizzes.exercises.queue import leases
from quizzes.exercises.services import grade_again
from quizzes.grader.judge.report import KnownMistake, Report, Verdict
from quizzes.learners.models import Progress, ReviewCard, User
from tests.databases import on_postgresql
from tests.exercises import making
from tests.exercises.newer_version import mended, try_all

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
MISTAKE = KnownMistake("swap", "mistake", "Sines and cosines change places.", None, "2.")
NAMED = Report(Verdict.KNOWN_MISTAKE, known_mistake=MISTAKE, cases_passed=1, cases_total=3)
TABLES = (Submission, PreviousVerdict, CasePicture, Progress, ReviewCard)


@pytest.fixture
def staff(db):
    return User.objects.create_user("staff")


def graded(exercise, report, **facts):
    row = making.waiting(exercise, **facts)
    leases.record(lease=making.lease(), report=report)
    return Submission.objects.get(pk=row.pk)


def everything():
    rows = [one for table in TABLES for one in table.objects.order_by("pk")]
    return json.loads(serializers.serialize("json", rows))


def test_copies_are_graded_beside_then_applied_then_undone(exercise, staff, monkeypatch):
    for module in (services, trials):
        monkeypatch.setattr(module, "CHUNK", 2)
    rows = [graded(exercise, one) for one in (making.CORRECT, NAMED, NAMED, making.WRONG)]
    exercise = mended(exercise)
    start = everything()
    made = begin(exercise, by=staff)
    with pytest.raises(CodeRegradeRefusedError, match="begun"):
        begin(exercise, by=staff)
    with pytest.raises(CodeRegradeRefusedError, match="Not all"):
        apply_trials(made, by=staff, note="", nobody_loses=False)
    try_all(NAMED, making.CORRECT, NAMED, making.CORRECT)
    told = summary_of(made)
    assert (told.up, told.down, told.same, told.is_ready) == (2, 1, 1, True)
    assert everything() == start, "learners see nothing of what is graded beside"
    assert apply_trials(made, by=staff, note="Mended.", nobody_loses=False) == 4
    found = [Submission.objects.get(pk=row.pk) for row in rows]
    assert [one.verdict for one in found] == [
        "known_mistake",
        "correct",
        "known_mistake",
        "correct",
    ]
    assert {one.exercise_version for one in found} == {exercise.current}
    assert [one.previous_verdicts.get().verdict for one in found] == [row.verdict for row in rows]
    states = [row.learner.progress.get(kind="exercise").state for row in rows]
    assert states == ["shaky", "done", "shaky", "done"]
    cards = [row.learner.review_cards.filter(slug="sinusoidal-table/swap").count() for row in rows]
    assert cards == [1, 0, 1, 0]
    with pytest.raises(CodeRegradeRefusedError, match="applied or cancelled"):
        apply_trials(made, by=staff, note="", nobody_loses=False)
    assert undo_trials(made, by=staff) == 4
    assert everything() == start


@pytest.mark.parametrize("seed", range(6))
def test_undo_restores_learners_with_several_submissions(exercise, staff, monkeypatch, seed):
    """Also where a learner's submissions are in different chunks, and progress went to and fro."""

    def stored():
        return [one for one in everything() if one["model"] != "learners.reviewcard"]

    draw = Random(seed)
    for module in (services, trials):
        monkeypatch.setattr(module, "CHUNK", draw.randint(1, 3))
    learners = [making.new_learner() for _ in range(3)]
    reports = (making.CORRECT, NAMED, making.WRONG)
    for _ in range(8):
        graded(exercise, draw.choice(reports), learner=draw.choice(learners))
    exercise = mended(exercise)
    start = stored()
    made = begin(exercise, by=staff)
    try_all(*[draw.choice(reports) for _ in range(8)])
    apply_trials(made, by=staff, note="", nobody_loses=False)
    assert stored() != start
    undo_trials(made, by=staff)
    assert stored() == start


def test_undo_keeps_what_a_learner_did_since(exercise, staff):
    row = graded(exercise, making.WRONG)
    made = begin(mended(exercise), by=staff)
    try_all(making.CORRECT)
    apply_trials(made, by=staff, note="", nobody_loses=False)
    since = timezone.now()
    Progress.objects.filter(learner=row.learner).update(updated_at=since)
    undo_trials(made, by=staff)
    progress = row.learner.progress.get()
    assert (progress.state, progress.updated_at) == ("shaky", since)


def test_it_goes_on_after_an_interruption_and_nobody_loses(exercise, staff, monkeypatch):
    for module in (services, trials):
        monkeypatch.setattr(module, "CHUNK", 1)
    rows = [graded(exercise, one) for one in (making.WRONG, making.CORRECT, making.WRONG)]
    made = begin(mended(exercise), by=staff)
    try_all(making.CORRECT, making.WRONG, making.CORRECT)
    whole, calls = services._apply_chunk, []

    def interrupted(*given):
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return whole(*given)

    monkeypatch.setattr(services, "_apply_chunk", interrupted)
    with pytest.raises(KeyboardInterrupt):
        apply_trials(made, by=staff, note="first", nobody_loses=True)
    assert CodeRegrade.objects.get().state == "applying"
    assert apply_trials(made, by=staff, note="second", nobody_loses=False) == 1
    verdicts = [Submission.objects.get(pk=row.pk).verdict for row in rows]
    assert verdicts == ["correct"] * 3  # the second keeps its better verdict
    made = CodeRegrade.objects.get()
    assert (made.state, made.note) == ("applied", "first")


def test_what_was_graded_again_meanwhile_is_left_alone(exercise, staff):
    row = graded(exercise, making.WRONG)
    made = begin(mended(exercise), by=staff)
    try_all(making.CORRECT)
    grade_again(submission=row)
    leases.record(lease=making.lease(), report=NAMED)
    assert summary_of(made).changed_meanwhile == 1
    assert apply_trials(made, by=staff, note="", nobody_loses=False) == 0
    assert Submission.objects.get().verdict == "known_mistake"


def test_an_older_regrade_is_not_undone_under_a_newer_one(exercise, staff):
    graded(exercise, making.WRONG)
    exercise = mended(exercise)
    first = begin(exercise, by=staff)
    try_all(making.CORRECT)
    apply_trials(first, by=staff, note="", nobody_loses=False)
    Exercise.objects.filter(pk=exercise.pk).update(current=exercise.versions.get(number=1))
    again = begin(Exercise.objects.select_related("current").get(pk=exercise.pk), by=staff)
    try_all(making.WRONG)
    apply_trials(again, by=staff, note="", nobody_loses=False)
    with pytest.raises(CodeRegradeRefusedError, match="Later regrades"):
        undo_trials(first, by=staff)
    undo_trials(again, by=staff)
    undo_trials(first, by=staff)
    assert Submission.objects.get().verdict == "wrong"
    assert not PreviousVerdict.objects.exists()


def test_a_copy_that_takes_workers_down_fails_on_our_side_and_changes_nothing(exercise, staff):
    graded(exercise, making.WRONG)
    made = begin(mended(exercise), by=staff)
    for _ in range(3):
        give_back_trial(lease=lease_trial(worker="one"), failure="the machine burnt")
    assert lease_trial(worker="one") is None
    assert summary_of(made).failed == 1
    assert TrialVerdict.objects.get().our_failure == "the machine burnt"
    assert apply_trials(made, by=staff, note="", nobody_loses=False) == 0
    assert Submission.objects.get().verdict == "wrong"


def test_a_frozen_worker_writes_nothing_and_cancelling_forgets_all(exercise, staff):
    graded(exercise, making.WRONG)
    graded(exercise, making.WRONG)
    made = begin(mended(exercise), by=staff)
    frozen = lease_trial(worker="one")
    TrialVerdict.objects.update(leased_until=timezone.now() - trials.TRIAL_LEASE)
    taken = lease_trial(worker="two")
    assert taken.trial == frozen.trial
    assert not record_trial(lease=frozen, report=making.CORRECT)
    assert cancel(made, by=staff)
    assert not record_trial(lease=taken, report=making.CORRECT)
    assert not TrialVerdict.objects.exists()
    assert not cancel(made, by=staff)


def test_a_clock_put_back_an_hour_holds_up_no_copy_of_a_dead_worker(exercise, staff):
    graded(exercise, making.WRONG)
    begin(mended(exercise), by=staff)
    dead = lease_trial(worker="dies")
    TrialVerdict.objects.update(leased_until=F("leased_until") + timedelta(hours=1))
    assert lease_trial(worker="other").trial == dead.trial


def begin_elsewhere(exercise, staff):
    """As a second request does: on a connection of its own."""
    try:
        begin(exercise, by=staff)
    except CodeRegradeRefusedError as error:
        return str(error)
    finally:
        connection.close()
    return ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not on_postgresql(), reason="SQLite has one writer at a time")
def test_of_two_that_begin_at_once_the_second_reads_why_not(exercise, staff):
    graded(exercise, making.WRONG)
    exercise = mended(exercise)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            begin(exercise, by=staff)
            second = pool.submit(begin_elsewhere, exercise, staff)
            with pytest.raises(TimeoutError):
                second.result(timeout=0.5)  # it has looked, and waits for the first
        assert "Somebody has begun to grade these submissions" in second.result(timeout=20)
    assert CodeRegrade.objects.get().trials.count() == 1


def test_a_class_grades_its_own_and_declines_the_course_s(exercise, staff):
    rows = [graded(exercise, making.WRONG) for _ in range(3)]
    ours = CodeScope("autumn", Submission.objects.filter(pk=rows[1].pk))
    exercise = mended(exercise)
    start = everything()
    own, course = begin(exercise, by=staff, scope=ours), begin(exercise, by=staff)
    assert [one.trials.count() for one in (own, course)] == [1, 3]
    with pytest.raises(CodeRegradeRefusedError, match="begun"):
        begin(exercise, by=staff, scope=ours)
    try_all(*[making.CORRECT] * 4)
    learner = rows[1].learner_id
    (change,) = changes_of(own)
    assert (change.submission, change.learner) == (rows[1].pk, learner)
    assert change.before.startswith("Not yet: the result differs")
    assert change.after.startswith("Correct")
    assert apply_trials(own, by=staff, note="", nobody_loses=False) == 1
    assert summary_of(course).changed_meanwhile == 1  # the class was faster: it stays
    assert undo_trials(own, by=staff) == 1
    assert everything() == start
    assert apply_trials(course, by=staff, note="", nobody_loses=False) == 3
    assert decline_trials(course, by=staff, scope=ours) == 1
    assert decline_trials(course, by=staff, scope=ours) == 0
    verdicts = [Submission.objects.get(pk=row.pk).verdict for row in rows]
    assert verdicts == ["correct", "wrong", "correct"]
    assert undo_trials(course, by=staff) == 2
    assert everything() == start
    with pytest.raises(CodeRegradeRefusedError, match="undone it"):
        decline_trials(course, by=staff, scope=ours)


def test_the_preview_names_the_same_verdict_with_another_share_of_cases(exercise, staff):
    fewer, more = (
        Report(Verdict.WRONG, cases_passed=passed, cases_total=total)
        for passed, total in ((1, 3), (2, 4))
    )
    for report in (fewer, more, fewer):
        graded(exercise, report)
    made = begin(mended(exercise), by=staff)
    try_all(more, fewer, fewer)
    label = Verdict.WRONG.label
    assert sorted(summary_of(made).transitions) == [
        (label, f"{label}, fewer of the cases", 1),
        (label, f"{label}, more of the cases", 1),
    ]
    assert [(one.before, one.after) for one in changes_of(made)] == [
        (f"{label}, 1 of 3 cases", f"{label}, 2 of 4 cases"),
        (f"{label}, 2 of 4 cases", f"{label}, 1 of 3 cases"),
    ]
