"""The queue: who is next, who holds a row, and that a report is written once."""

import itertools
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.exercises import publishing
from quizzes.exercises.models import CasePack, Exercise, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.queue.sqlite_engine import take_row
from quizzes.exercises.services import grade_again, place_in_queue
from quizzes.grader.definitions.definition import read_definition
from quizzes.learners.models import Learner, ReviewCard
from quizzes.learners.services import adopt, progress_of
from tests.courses import SLUG, some_course
from tests.databases import on_postgresql
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def taken_in_order(**how: bool) -> list[int]:
    """Grade all that waits, one after another."""
    order = []
    while taken := leases.lease_next(worker="one", **how):
        order.append(taken.submission.pk)
        leases.record(lease=taken, report=making.WRONG)
    return order


def state_of(learner: Learner, course: str = SLUG) -> str | None:
    """Return how far a learner is with the exercise in the course with this slug."""
    states = progress_of(some_course(course).pk, learner, "exercise", ["sinusoidal-table"])
    return states.get("sinusoidal-table")


def test_nothing_waits():
    assert leases.lease_next(worker="one") is None


def test_the_oldest_goes_first(exercise):
    rows = [making.waiting(exercise) for _ in range(3)]
    assert taken_in_order() == [row.pk for row in rows]


def test_a_submission_whose_worker_died_is_in_the_queue_again(exercise):
    mine, before = making.waiting(exercise), making.waiting(exercise)
    assert leases.lease_next(worker="dies").submission.pk == mine.pk
    held = Submission.objects.filter(pk=mine.pk)
    held.update(scheduled_for=timezone.now() + timedelta(seconds=9))
    assert place_in_queue(submission=held.get()) == 0
    making.let_leases_lapse()
    assert place_in_queue(submission=held.get()) == 1
    assert taken_in_order() == [before.pk, mine.pk]


def test_a_clock_put_back_an_hour_holds_up_no_row_of_a_dead_worker(exercise):
    """Neither the row that it had nor the next one of the same learner, on either database."""
    learner = making.new_learner()
    first, second = (making.waiting(exercise, learner) for _ in range(2))
    assert leases.lease_next(worker="dies").submission.pk == first.pk
    making.put_clock_back_an_hour()
    engine().sweep()
    making.let_leases_lapse()
    assert place_in_queue(submission=second) == 1
    assert taken_in_order() == [first.pk, second.pk]


def test_a_clock_put_back_an_hour_takes_no_row_from_a_worker_that_lives(exercise):
    making.waiting(exercise)
    taken = making.lease("one")
    making.put_clock_back_an_hour()
    for _ in range(3):
        leases.sweep()
        assert leases.renew(lease=taken)
        engine().beat("one")
        if on_postgresql():
            making.let_ten_seconds_pass()
            engine().beat("one")
    assert leases.lease_next(worker="two") is None


@pytest.mark.parametrize(
    "arguments", [{}, {"submission": "x"}, {"submission": None}, {"submission": 2**70}, {"id": 3}]
)
def test_a_job_that_is_none_of_ours_stops_no_worker(exercise, arguments):
    """Another program may use the same queue of PostgreSQL; on SQLite the row is the queue."""
    if on_postgresql():
        from procrastinate.sql import queries

        from quizzes.exercises.queue.procrastinate_engine import Jsonb

        job = ("quick", "grade", 10, None, None, Jsonb(arguments), None)
        with connection.cursor() as cursor:
            cursor.execute(queries["defer_jobs"], {"jobs": [job]})
    row = making.waiting(exercise)
    assert engine().put_missing() == 0
    assert taken_in_order() == [row.pk]


def test_a_second_submission_comes_after_everybodys_first(exercise):
    busy, other, third = (making.new_learner() for _ in range(3))
    mine = [making.waiting(exercise, busy) for _ in range(3)]
    theirs = [making.waiting(exercise, other), making.waiting(exercise, third)]
    expected = [mine[0], *theirs, mine[1], mine[2]]
    assert [place_in_queue(submission=row) for row in expected] == [0, 1, 2, 3, 4]
    assert taken_in_order() == [row.pk for row in expected]


@pytest.mark.parametrize(("learners", "each"), [(2, 10), (5, 4)])
def test_learners_who_hand_in_many_at_once_take_turns(exercise, learners, each):
    """Round by round, whoever pressed first: nobody's second comes before anybody's first."""
    now = timezone.now()
    rows = [
        [making.waiting(exercise, one, submitted_at=now) for _ in range(each)]
        for one in (making.new_learner() for _ in range(learners))
    ]
    rounds = zip(*rows, strict=True)
    assert taken_in_order() == [row.pk for of_all in rounds for row in of_all]


def test_later_submissions_overtake_queued_ones_of_the_same_learner(exercise):
    """The first of who comes 7 s after four of another's passes the third and the fourth."""
    now, busy = timezone.now(), making.new_learner()
    early = now - timedelta(seconds=7)
    mine = [making.waiting(exercise, busy, submitted_at=early).pk for _ in range(4)]
    theirs = making.waiting(exercise, submitted_at=now).pk
    assert taken_in_order() == [*mine[:2], theirs, *mine[2:]]


def test_a_learner_has_one_submission_in_work_at_a_time(exercise):
    busy = making.new_learner()
    making.waiting(exercise, busy)
    first = making.lease()
    second, other = making.waiting(exercise, busy), making.waiting(exercise)
    assert taken_in_order() == [other.pk]
    leases.record(lease=first, report=making.CORRECT)
    assert taken_in_order() == [second.pk]


def test_a_second_submission_does_not_wait_for_ever(exercise):
    """It lets pass what comes within five seconds, no more."""
    busy = making.new_learner()
    long_ago = timezone.now() - timedelta(seconds=6)
    mine = [making.waiting(exercise, busy, submitted_at=long_ago) for _ in range(2)]
    newcomer = making.waiting(exercise)
    assert taken_in_order() == [mine[0].pk, mine[1].pk, newcomer.pk]


def test_what_counts_goes_before_checks_and_other_submits(exercise):
    version = exercise.current
    CasePack.objects.create(version=version, seed=9, data=b"", is_reserved=True)
    submit, check = making.waiting(exercise), making.waiting(exercise, kind="check")
    counted = making.waiting(exercise, own_pack=True)
    assert taken_in_order() == [counted.pk, check.pk, submit.pk]


def test_a_learners_own_rows_are_taken_as_they_came(exercise):
    """A Check leads before the rows of others, not before one's own."""
    one, now = making.new_learner(), timezone.now()
    facts = [("submit", 0.0), ("check", 0.2), ("submit", 6.0), ("check", 6.1), ("check", 14.0)]
    rows = [
        making.waiting(exercise, one, kind=kind, submitted_at=now + timedelta(seconds=later))
        for kind, later in facts
    ]
    assert taken_in_order() == [row.pk for row in rows]


def test_graded_again_comes_after_ones_own_that_wait(exercise):
    one = making.new_learner()
    graded = making.waiting(exercise, one)
    leases.record(lease=making.lease(), report=making.WRONG)
    mine = making.waiting(exercise, one, submitted_at=timezone.now() + timedelta(seconds=20))
    assert grade_again(submission=graded)
    assert taken_in_order() == [mine.pk, graded.pk]


def test_a_learners_waiting_slow_code_holds_up_none_of_their_quick_code(exercise):
    """Twenty slow rows of others are before it, and one of their own is in work."""
    for _ in range(20):
        making.waiting(exercise, slow=True)
    one, early = making.new_learner(), timezone.now() - timedelta(seconds=60)
    making.waiting(exercise, one, slow=True, submitted_at=early)
    check = making.waiting(exercise, one, kind="check")
    quick = making.lease("one")
    assert quick.submission.pk == check.pk
    leases.record(lease=quick, report=making.WRONG)
    in_work = leases.lease_next(worker="one", slow_too=True).submission
    assert (in_work.learner, in_work.slow) == (one, True)
    another = making.waiting(exercise, one, kind="check")
    assert making.lease("two").submission.pk == another.pk


def test_a_submit_that_waits_long_lets_no_newer_check_pass(exercise):
    long_ago = timezone.now() - timedelta(seconds=5)
    submit = making.waiting(exercise, submitted_at=long_ago)
    check = making.waiting(exercise, kind="check")
    assert taken_in_order() == [submit.pk, check.pk]


def test_a_leased_row_is_nobody_elses(exercise):
    making.waiting(exercise)
    making.lease()
    assert leases.lease_next(worker="two") is None


SQLITE = pytest.mark.skipif(on_postgresql(), reason="test_take_at_once has it for PostgreSQL")


@SQLITE
def test_a_row_seen_free_by_two_goes_to_one(exercise):
    row = making.waiting(exercise)
    pack = CasePack.objects.first()
    assert take_row(row, pack.pk, "one")
    assert not take_row(row, pack.pk, "two")


@SQLITE
def test_two_rows_of_a_learner_seen_free_by_two_are_not_both_taken(exercise):
    busy, pack = making.new_learner(), CasePack.objects.first()
    first, second = making.waiting(exercise, busy), making.waiting(exercise, busy)
    assert take_row(first, pack.pk, "one")
    assert not take_row(second, pack.pk, "two")


def test_a_renewed_lease_lasts(exercise):
    making.waiting(exercise)
    taken = making.lease("one")
    making.let_ten_seconds_pass()
    assert leases.renew(lease=taken)
    engine().beat("one")
    leases.sweep()
    assert leases.lease_next(worker="two") is None


def test_a_killed_workers_row_goes_to_the_next_and_is_recorded_once(exercise):
    row = making.waiting(exercise)
    killed = making.lease("killed")
    making.let_leases_lapse()
    second = making.lease("second")
    assert second.submission.pk == row.pk
    assert second.number == 2
    assert not leases.renew(lease=killed)
    assert leases.record(lease=second, report=making.CORRECT)
    assert not leases.record(lease=killed, report=making.WRONG)
    row.refresh_from_db()
    assert (row.verdict, row.leased_by, row.leased_until) == ("correct", "", None)


def test_a_late_report_of_a_slow_worker_is_refused_while_another_grades(exercise):
    row = making.waiting(exercise)
    slow = making.lease("slow")
    making.let_leases_lapse()
    making.lease("second")
    assert not leases.record(lease=slow, report=making.WRONG)
    row.refresh_from_db()
    assert row.verdict == ""


def test_our_failure_frees_the_row_three_times_then_closes_it(exercise):
    row = making.waiting(exercise)
    for number in (1, 2, 3):
        taken = making.lease()
        assert taken.number == number
        leases.give_back(lease=taken, failure=f"broken {number}")
    row.refresh_from_db()
    assert (row.verdict, row.our_failure) == ("not_graded", "broken 3")
    assert leases.lease_next(worker="one") is None
    assert state_of(row.learner) is None


def test_a_row_that_failed_holds_up_none_of_its_learners_next(exercise):
    """A job that is to be taken at a later time would keep its learner's lock until then."""
    one = making.new_learner()
    failed, next_one = (making.waiting(exercise, one) for _ in range(2))
    for number in (1, 2):
        leases.give_back(lease=making.lease(), failure=f"broken {number}")
        assert Submission.objects.get(pk=failed.pk).tries_used == number
    assert taken_in_order() == [failed.pk, next_one.pk]


def test_a_row_whose_workers_died_is_closed_by_the_sweep(exercise):
    row = making.waiting(exercise)
    for _ in range(3):
        making.lease()
        making.let_leases_lapse()
    assert leases.lease_next(worker="one") is None
    assert leases.close_used_up() == 1
    row.refresh_from_db()
    assert (row.verdict, row.our_failure) == ("not_graded", leases.DIED)


def test_the_sweep_leaves_a_third_lease_alone_while_it_is_held(exercise):
    making.waiting(exercise, tries_used=2)
    making.lease()
    assert leases.close_used_up() == 0


def test_a_row_handed_over_keeps_its_leases(exercise):
    row = making.waiting(exercise)
    leases.hand_over(lease=making.lease())
    row.refresh_from_db()
    assert (row.tries_used, row.pack, row.leased_until) == (0, None, None)
    assert making.lease().number == 1


def test_a_row_waits_while_its_exercise_is_being_verified():
    exercise = making.unverified_exercise()
    making.hand_in(exercise)
    assert leases.lease_next(worker="one") is None


def test_rows_of_a_refused_exercise_are_closed_as_our_failure():
    exercise = making.unverified_exercise()
    row = making.hand_in(exercise)
    publishing.refuse(version=publishing.lease_unverified(), problems=["reference.py: no"])
    assert leases.close_refused() == 1
    row.refresh_from_db()
    assert row.verdict == "not_graded"


def test_a_learner_meets_every_pack_before_one_comes_again_and_never_the_last_twice(
    exercise, django_capture_on_commit_callbacks
):
    learner, met = making.new_learner(), []
    for _ in range(12):
        making.waiting(exercise, learner)
        taken = making.lease()
        met.append(taken.pack_id)
        with django_capture_on_commit_callbacks(execute=True):
            leases.record(lease=taken, report=making.WRONG)
    assert len(set(met[:3])) == 3
    assert all(one != other for one, other in itertools.pairwise(met))
    assert sum(CasePack.objects.values_list("uses", flat=True)) == 12


def test_a_retired_pack_is_drawn_no_more(exercise):
    kept = CasePack.objects.first()
    CasePack.objects.exclude(pk=kept.pk).update(retired_at=timezone.now())
    making.waiting(exercise)
    assert making.lease().pack_id == kept.pk


@pytest.mark.parametrize(
    ("kind", "report", "state"),
    [
        ("submit", making.CORRECT, "done"),
        ("submit", making.WRONG, "shaky"),
        ("check", making.CORRECT, None),
    ],
)
def test_progress_follows_the_verdict_of_a_submit(exercise, kind, report, state):
    row = making.waiting(exercise, kind=kind)
    leases.record(lease=making.lease(), report=report)
    assert state_of(row.learner) == state


def test_progress_and_missed_mistakes_are_of_the_course_of_the_exercise(exercise):
    """Two courses may have an exercise of one name."""
    other = making.ready_exercise(course="another-course")
    assert other.slug == exercise.slug
    row = making.waiting(other)
    leases.record(lease=making.lease(), report=making.KEPT)
    assert state_of(row.learner, "another-course") == "shaky"
    assert state_of(row.learner) is None
    assert ReviewCard.objects.get().course == other.course


def test_a_report_reaches_the_account_that_adopted_the_submission_meanwhile(
    exercise, django_user_model
):
    user = django_user_model.objects.create_user("ada")
    account = making.new_learner()
    account.user = user
    account.save()
    row = making.waiting(exercise)
    taken = making.lease()
    adopt(learner=row.learner, user=user)
    assert leases.record(lease=taken, report=making.CORRECT)
    assert Submission.objects.get().learner == account
    assert state_of(account) == "done"


def test_a_report_for_a_deleted_learner_is_dropped(exercise):
    row = making.waiting(exercise)
    taken = making.lease()
    row.learner.delete()
    assert not leases.record(lease=taken, report=making.CORRECT)


def test_a_version_that_somebody_waits_for_is_verified_first():
    first = making.unverified_exercise()
    files = first.current.files
    other = Exercise.objects.create(course=some_course(), slug="asked-for")
    definition = read_definition("asked-for", files)
    publishing.add_version(exercise=other, definition=definition, files=files)
    making.hand_in(Exercise.objects.select_related("current").get(slug="asked-for"))
    assert publishing.lease_unverified().exercise == other
    assert publishing.lease_unverified().exercise == first
