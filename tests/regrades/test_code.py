"""Submissions graded by a newer version: beside first, applied in chunks, undone."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape
from random import Random

import pytest
from django.core import serializers
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from quizzes.exercises.models import (
    CasePicture,
    CodeRegrade,
    Exercise,
    PreviousVerdict,
    Submission,
    TrialVerdict,
)
from quizzes.exercises.models.submission import ERASED_CODES
from quizzes.exercises.queue import leases
from quizzes.exercises.services import grade_again
from quizzes.grader.judge.report import KnownMistake, Report, Verdict
from quizzes.learners.models import Progress, ReviewCard
from quizzes.regrades import apply, trials
from quizzes.regrades.apply import apply_code
from quizzes.regrades.code import FAILED, GRADED_SINCE, plan_code
from quizzes.regrades.offers import older_submissions
from quizzes.regrades.plan import RegradeRefusedError
from quizzes.regrades.scope import Scope
from quizzes.regrades.trials import (
    begin,
    cancel,
    give_back_trial,
    lease_trial,
    record_trial,
)
from quizzes.regrades.undo import undo_code
from tests.courses import SLUG
from tests.databases import on_postgresql
from tests.exercises import making
from tests.exercises.newer_version import mended, try_all
from tests.factories import create_browser

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
MISTAKE = KnownMistake("swap", "mistake", "Sines and cosines change places.", None, "2.")
NAMED = Report(Verdict.KNOWN_MISTAKE, known_mistake=MISTAKE, cases_passed=1, cases_total=3)
TABLES = (Submission, PreviousVerdict, CasePicture, Progress, ReviewCard)


def graded(exercise, report, **facts):
    row = making.waiting(exercise, **facts)
    leases.record(lease=making.lease(), report=report)
    return Submission.objects.get(pk=row.pk)


def everything():
    rows = [one for table in TABLES for one in table.objects.order_by("pk")]
    return json.loads(serializers.serialize("json", rows))


def test_older_submissions_leave_out_deleted_code(exercise):
    for code in ("x = 2", *ERASED_CODES):
        graded(exercise, NAMED, code=code)
    assert len(ERASED_CODES) == 2
    assert [row.code for row in older_submissions(mended(exercise))] == ["x = 2"]


def test_copies_are_graded_beside_then_applied_then_undone(exercise, staff, monkeypatch):
    monkeypatch.setattr(trials, "CHUNK", 2)
    rows = [graded(exercise, one) for one in (making.CORRECT, NAMED, NAMED, making.WRONG)]
    exercise = mended(exercise)
    start = everything()
    made = begin(exercise, by=staff)
    with pytest.raises(RegradeRefusedError, match="already started"):
        begin(exercise, by=staff)
    with pytest.raises(RegradeRefusedError, match="Not all"):
        apply_code(made, by=staff, note="", nobody_loses=False)
    try_all(NAMED, making.CORRECT, NAMED, making.CORRECT)
    plan = plan_code(made)
    assert (plan.directions, plan.is_ready) == ({"up": 2, "down": 1, "same": 1}, True)
    assert everything() == start, "learners see nothing of what is graded beside"
    assert apply_code(made, by=staff, note="Mended.", nobody_loses=False) == 4
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
    with pytest.raises(RegradeRefusedError, match="applied or cancelled"):
        apply_code(made, by=staff, note="", nobody_loses=False)
    assert undo_code(made, by=staff) == 4
    assert everything() == start


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("seed", range(6))
def test_undo_restores_learners_with_several_submissions(exercise, staff, monkeypatch, seed):
    """Also where a learner's submissions are in different chunks, and progress went to and fro."""

    def stored():
        return [one for one in everything() if one["model"] != "learners.reviewcard"]

    draw = Random(seed)
    monkeypatch.setattr(trials, "CHUNK", draw.randint(1, 3))
    learners = [making.new_learner() for _ in range(3)]
    reports = (making.CORRECT, NAMED, making.WRONG)
    for _ in range(8):
        graded(exercise, draw.choice(reports), learner=draw.choice(learners))
    exercise = mended(exercise)
    start = stored()
    made = begin(exercise, by=staff)
    try_all(*[draw.choice(reports) for _ in range(8)])
    apply_code(made, by=staff, note="", nobody_loses=False)
    assert stored() != start
    undo_code(made, by=staff)
    assert stored() == start


def test_undo_keeps_what_a_learner_did_since(exercise, staff):
    row = graded(exercise, making.WRONG)
    made = begin(mended(exercise), by=staff)
    try_all(making.CORRECT)
    apply_code(made, by=staff, note="", nobody_loses=False)
    since = timezone.now()
    Progress.objects.filter(learner=row.learner).update(updated_at=since)
    undo_code(made, by=staff)
    progress = row.learner.progress.get()
    assert (progress.state, progress.updated_at) == ("shaky", since)


def test_it_goes_on_after_an_interruption_and_nobody_loses(exercise, staff, monkeypatch):
    monkeypatch.setattr(trials, "CHUNK", 1)
    rows = [graded(exercise, one) for one in (making.WRONG, making.CORRECT, making.WRONG)]
    made = begin(mended(exercise), by=staff)
    try_all(making.CORRECT, making.WRONG, making.CORRECT)
    whole, calls = apply._apply_chunk, []

    def interrupted(*given):
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return whole(*given)

    monkeypatch.setattr(apply, "_apply_chunk", interrupted)
    with pytest.raises(KeyboardInterrupt):
        apply_code(made, by=staff, note="first", nobody_loses=True)
    assert CodeRegrade.objects.get().state == "applying"
    assert apply_code(made, by=staff, note="second", nobody_loses=False) == 1
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
    assert plan_code(made).incomparable == {GRADED_SINCE: 1}
    assert apply_code(made, by=staff, note="", nobody_loses=False) == 0
    assert Submission.objects.get().verdict == "known_mistake"


def test_an_older_regrade_is_not_undone_under_a_newer_one(exercise, staff):
    graded(exercise, making.WRONG)
    exercise = mended(exercise)
    first = begin(exercise, by=staff)
    try_all(making.CORRECT)
    apply_code(first, by=staff, note="", nobody_loses=False)
    Exercise.objects.filter(pk=exercise.pk).update(current=exercise.versions.get(number=1))
    again = begin(Exercise.objects.select_related("current").get(pk=exercise.pk), by=staff)
    with pytest.raises(RegradeRefusedError, match="in progress"):
        undo_code(first, by=staff)
    try_all(making.WRONG)
    apply_code(again, by=staff, note="", nobody_loses=False)
    with pytest.raises(RegradeRefusedError, match="Later regrades"):
        undo_code(first, by=staff)
    undo_code(again, by=staff)
    undo_code(first, by=staff)
    assert Submission.objects.get().verdict == "wrong"
    assert not PreviousVerdict.objects.exists()


def test_a_copy_that_takes_workers_down_fails_on_our_side_and_changes_nothing(exercise, staff):
    graded(exercise, making.WRONG)
    made = begin(mended(exercise), by=staff)
    for _ in range(3):
        give_back_trial(lease=lease_trial(worker="one"), failure="the machine burnt")
    assert lease_trial(worker="one") is None
    assert plan_code(made).incomparable == {FAILED: 1}
    assert TrialVerdict.objects.get().our_failure == "the machine burnt"
    assert apply_code(made, by=staff, note="", nobody_loses=False) == 0
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
    cancel(made, by=staff)
    assert not record_trial(lease=taken, report=making.CORRECT)
    assert not TrialVerdict.objects.exists()
    with pytest.raises(RegradeRefusedError, match="no longer in progress"):
        cancel(made, by=staff)


def test_a_clock_put_back_an_hour_holds_up_no_copy_of_a_dead_worker(exercise, staff):
    graded(exercise, making.WRONG)
    begin(mended(exercise), by=staff)
    dead = lease_trial(worker="dies")
    TrialVerdict.objects.update(leased_until=F("leased_until") + timedelta(hours=1))
    assert lease_trial(worker="other").trial == dead.trial


def test_quick_worker_leaves_slow_copies_to_others(exercise, staff):
    graded(exercise, making.WRONG)
    begin(mended(exercise), by=staff)
    assert lease_trial(worker="quick", slow_too=False) is not None
    TrialVerdict.objects.update(slow=True, leased_until=None, leased_by="")
    assert lease_trial(worker="quick", slow_too=False) is None
    assert lease_trial(worker="slow") is not None


def begin_elsewhere(exercise, staff):
    """As a second request does: on a connection of its own."""
    try:
        begin(exercise, by=staff)
    except RegradeRefusedError as error:
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
        assert "Somebody has already started grading these submissions" in second.result(timeout=20)
    assert CodeRegrade.objects.get().trials.count() == 1


def test_a_class_grades_its_own_and_declines_the_course_s(exercise, staff):
    rows = [graded(exercise, making.WRONG) for _ in range(3)]
    ours = Scope(1, "autumn", submissions=Submission.objects.filter(pk=rows[1].pk))
    exercise = mended(exercise)
    start = everything()
    own, course = begin(exercise, by=staff, scope=ours), begin(exercise, by=staff)
    assert [one.trials.count() for one in (own, course)] == [1, 3]
    with pytest.raises(RegradeRefusedError, match="already started"):
        begin(exercise, by=staff, scope=ours)
    try_all(*[making.CORRECT] * 4)
    learner = rows[1].learner_id
    (change,) = plan_code(own).changes
    assert (change.work, change.learner) == (rows[1].pk, learner)
    assert str(change.was).startswith("Not yet: the result differs")
    assert str(change.now).startswith("Correct")
    assert apply_code(own, by=staff, note="", nobody_loses=False, scope=ours) == 1
    # The class was faster: its verdict stays.
    assert plan_code(course).incomparable == {GRADED_SINCE: 1}
    with pytest.raises(ValueError, match="expected one of"):
        undo_code(own, by=staff)
    assert undo_code(own, by=staff, scope=ours) == 1
    assert plan_code(own).changes == ()
    assert everything() == start
    assert apply_code(course, by=staff, note="", nobody_loses=False) == 3
    assert undo_code(course, by=staff, scope=ours) == 1
    assert undo_code(course, by=staff, scope=ours) == 0
    verdicts = [Submission.objects.get(pk=row.pk).verdict for row in rows]
    assert verdicts == ["correct", "wrong", "correct"]
    assert undo_code(course, by=staff) == 2
    assert everything() == start
    with pytest.raises(RegradeRefusedError, match="undone this regrade"):
        undo_code(course, by=staff, scope=ours)


def test_preview_counts_new_names(exercise, staff):
    for report in (making.WRONG, making.WRONG, NAMED, making.WRONG):
        graded(exercise, report)
    made = begin(mended(exercise), by=staff)
    try_all(NAMED, NAMED, NAMED, making.CORRECT)
    assert plan_code(made).names == {"swap": 2}
    browser = create_browser("eve", role="editor")
    page = browser.get(f"/teach/courses/{SLUG}/exercises/sinusoidal-table/regrade/")
    sentence = exercise.current.definition.wrong["swap"].sentence
    words = " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())
    assert f"2 submissions: {sentence}" in words
    apply_code(made, by=staff, note="", nobody_loses=False)
    assert plan_code(made).names == {}


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
    assert sorted(plan_code(made).transitions) == [
        (label, f"{label}, fewer of the cases", 1),
        (label, f"{label}, more of the cases", 1),
    ]
    assert [(str(one.was), str(one.now)) for one in plan_code(made).changes] == [
        (f"{label}, 1 of 3 cases", f"{label}, 2 of 4 cases"),
        (f"{label}, 2 of 4 cases", f"{label}, 1 of 3 cases"),
    ]
