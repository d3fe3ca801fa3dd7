"""Work that counts in a class: its cases have served nobody before, and are there for a regrade."""

import random
import threading
from contextlib import nullcontext
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.classes.assignments import save_assignment, set_exceptions
from quizzes.classes.own_work import submits_expected
from quizzes.exercises import case_pack_pool, publishing, reserved_packs
from quizzes.exercises.case_pack_pool import read_pack
from quizzes.exercises.models import CasePack, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.services import grade_again, submit_code
from quizzes.grader.api import AuthorError
from quizzes.grader.judge.case_pack import digest_of_call
from quizzes.grader.judge.comparison import EXACT, same_observation
from quizzes.learners.models import Learner
from quizzes.worker import background, periodic_tasks
from quizzes.worker.background import EarlyPacks
from quizzes.worker.pool_keeper import AuthorSandboxes
from tests.exercises import making
from tests.factories import DAY, assign, create_class, create_exercise, create_member
from tests.shared_sandboxes import open_shared

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def exercise():
    return making.ready_exercise()


@pytest.fixture
def full_pool(exercise):
    for seed in range(10, 10 + reserved_packs.FIRST_IN_POOL):
        case_pack_pool.add_pack(version=exercise.current, seed=seed, data=b"")


@pytest.fixture
def cohort():
    return create_class()


def hand_in(exercise, member=None, kind="submit"):
    learner = Learner.objects.get(user=member.user) if member else making.new_learner()
    return submit_code(
        exercise=exercise, learner=learner, kind=kind, code="x = 1", form_key=uuid4()
    )


def fill(exercise, count=reserved_packs.AHEAD):
    for seed in range(1_000, 1_000 + count):
        number = seed + 100 * CasePack.objects.count()
        reserved_packs.store(version=exercise.current, seed=number, data=b"cases")


def graded(report=making.WRONG):
    taken = making.lease()
    assert leases.record(lease=taken, report=report)
    return taken


def test_only_submits_that_can_count_get_a_pack_of_their_own(exercise, cohort):
    now = timezone.now()
    member = create_member(cohort)
    assert not hand_in(exercise, member).own_pack
    work = assign(cohort, exercise, closes_at=now + DAY)
    assert hand_in(exercise, member).own_pack
    assert not hand_in(exercise, member, kind="check").own_pack
    assert not hand_in(exercise).own_pack
    assert not hand_in(exercise, create_member(cohort, "eve", role="instructor")).own_pack
    work.opens_at, work.closes_at = now + DAY, now + 2 * DAY
    save_assignment(assignment=work, by=None)  # who solves it before has solved it then
    Submission.objects.all().delete()
    assert hand_in(exercise, member).own_pack
    work.opens_at, work.closes_at = now - 2 * DAY, now - DAY
    save_assignment(assignment=work, by=None)
    assert not hand_in(exercise, member).own_pack
    set_exceptions(assignment=work, members=[member], values={"closes_at": now + DAY}, by=None)
    assert hand_in(exercise, member).own_pack


def test_a_pack_of_counted_work_serves_one_submission(exercise, cohort):
    assign(cohort, exercise)
    fill(exercise)
    own, others = [], []
    for name in ("ada", "bob"):
        member = create_member(cohort, name)
        for _ in range(3):
            hand_in(exercise, member)
            own.append(graded().pack_id)
            hand_in(exercise, member, kind="check")
            others.append(graded().pack_id)
            Submission.objects.filter(kind="check").update(
                submitted_at=timezone.now() - timedelta(minutes=1)
            )
            hand_in(exercise)
            others.append(graded().pack_id)
    assert len(set(own)) == len(own) == 6
    assert not set(own) & set(others)
    reserve = set(CasePack.objects.filter(is_reserved=True).values_list("pk", flat=True))
    assert set(own) < reserve
    assert not set(others) & reserve


def test_counted_work_waits_for_a_pack_and_holds_up_nobody(exercise, cohort):
    assign(cohort, exercise)
    member = create_member(cohort)
    counted = hand_in(exercise, member)
    assert leases.lease_next(worker="w") is None
    hand_in(exercise)
    assert graded().submission.pk != counted.pk
    assert reserved_packs.version_in_need() == exercise.current
    assert reserved_packs.is_waited_for(exercise.current)
    fill(exercise, 1)
    making.engine().put_missing()
    assert graded().submission.pk == counted.pk


def test_one_pack_puts_one_submission_in_line(exercise, cohort):
    assign(cohort, exercise)
    members = [create_member(cohort, name) for name in ("ada", "bob", "cy")]
    waiting = [hand_in(exercise, member) for member in members]
    assert leases.lease_next(worker="w") is None
    for row in waiting:
        fill(exercise, 1)
        assert making.engine().put_missing() == (connection.vendor == "postgresql")
        assert graded().submission.pk == row.pk


def test_a_run_that_was_cut_short_keeps_its_pack(exercise, cohort):
    """Nobody was told anything of it, and it stays the only submission that meets these cases."""
    assign(cohort, exercise)
    fill(exercise)
    hand_in(exercise, create_member(cohort))
    first = making.lease()
    leases.give_back(lease=first, failure="the machine burnt")
    second = making.lease(worker="two")
    leases.to_slow_lane(lease=second)
    third = making.lease(worker="two")
    making.let_ten_seconds_pass()
    leases.sweep()
    fourth = making.lease(worker="three")
    assert {taken.pack_id for taken in (second, third, fourth)} == {first.pack_id}
    leases.record(lease=fourth, report=making.WRONG)
    grade_again(submission=Submission.objects.get())
    leases.to_slow_lane(lease=making.lease())
    assert graded().pack_id == first.pack_id
    assert reserved_packs.in_reserve().count() == reserved_packs.AHEAD - 1


def test_a_dead_worker_leaves_no_row_without_a_pack_for_ever(exercise, cohort):
    """Its lease lapses; on SQLite it still stands in the row."""
    work = assign(cohort, exercise)
    fill(exercise, 1)
    hand_in(exercise, create_member(cohort))
    taken = making.lease()
    Submission.objects.update(pack=None)
    making.let_ten_seconds_pass()
    leases.sweep()
    work.cohort.archived_at = timezone.now()
    work.cohort.save()
    assert leases.lease_next(worker="w") is None
    assert reserved_packs.version_in_need() == exercise.current
    fill(exercise, 1)
    making.engine().put_missing()
    assert graded().submission.pk == taken.submission.pk


def test_nine_rows_without_a_pack_hold_up_nobody(exercise, cohort):
    assign(cohort, exercise)
    for member in range(9):
        hand_in(exercise, create_member(cohort, f"m{member}"))
    Submission.objects.update(scheduled_for=timezone.now() - timedelta(minutes=1))
    assert leases.lease_next(worker="w") is None
    other = hand_in(exercise)
    assert graded().submission.pk == other.pk


def test_a_damaged_pack_of_its_own_is_drawn_again_for_the_same_cases(exercise, cohort):
    assign(cohort, exercise)
    fill(exercise)
    hand_in(exercise, create_member(cohort))
    taken = making.lease()
    case_pack_pool.retire_pack(pk=taken.pack_id)
    leases.hand_over(lease=taken)
    assert leases.lease_next(worker="w") is None
    seed = CasePack.objects.get(pk=taken.pack_id).seed
    assert reserved_packs.seed_to_draw_again(exercise.current) == seed
    reserved_packs.store(version=exercise.current, seed=seed, data=b"again")
    making.engine().put_missing()
    assert graded().pack_id == taken.pack_id


def test_packs_ahead_wait_for_pools_that_are_empty(exercise, cohort):
    assign(cohort, exercise)
    assert reserved_packs.version_in_need() is None
    hand_in(exercise, create_member(cohort))
    assert reserved_packs.version_in_need() == exercise.current, "somebody waits"
    Submission.objects.all().delete()
    for seed in range(20, 20 + reserved_packs.FIRST_IN_POOL):
        case_pack_pool.add_pack(version=exercise.current, seed=seed, data=b"")
    assert reserved_packs.version_in_need() == exercise.current


def test_packs_ahead_do_not_hide_that_data_is_waited_for(exercise, cohort, full_pool):
    assign(cohort, exercise)
    fill(exercise, 30)
    hand_in(exercise, create_member(cohort))
    CasePack.objects.filter(pk=graded().pack_id).update(data=None)
    assert reserved_packs.version_in_need() is None
    grade_again(submission=Submission.objects.get())
    assert reserved_packs.version_in_need() == exercise.current


def test_eight_packs_wait_for_each_open_assignment(exercise, cohort, full_pool):
    assert reserved_packs.version_in_need() is None
    work = assign(cohort, exercise)
    assign(create_class("spring"), exercise)
    assert reserved_packs.version_in_need() == exercise.current
    fill(exercise, 2 * reserved_packs.AHEAD - 1)
    assert reserved_packs.version_in_need() == exercise.current
    fill(exercise, 1)
    assert reserved_packs.version_in_need() is None
    assert reserved_packs.version_in_need(without=[exercise.current.pk]) is None
    work.cohort.archived_at = timezone.now() - DAY
    work.cohort.save()
    periodic_tasks.forget_old_packs()
    assert reserved_packs.in_reserve().count() == reserved_packs.AHEAD
    work.cohort.course.cohorts.update(archived_at=timezone.now() - DAY)
    periodic_tasks.forget_old_packs()
    assert reserved_packs.in_reserve().count() == 0
    assert reserved_packs.version_in_need() is None


@pytest.fixture
def students(cohort):
    create_member(cohort, "eve", role="instructor")
    create_member(cohort, "gone", state="removed")
    return [create_member(cohort, f"student-{number}") for number in range(8)]


def test_work_due_soon_expects_two_submits_each(exercise, cohort, students):
    now = timezone.now()
    work = assign(cohort, exercise, due_at=now + DAY)
    assert submits_expected(now) == {exercise.pk: 16}
    for kind in ("submit", "check"):
        hand_in(exercise, students[0], kind=kind)
    hand_in(exercise)
    assert submits_expected(now) == {exercise.pk: 15}
    work.attempts = 1
    save_assignment(assignment=work, by=None)
    assert submits_expected(now) == {exercise.pk: 7}
    assign(create_class("spring"), exercise, due_at=now + DAY)
    assert submits_expected(now) == {exercise.pk: 7}, "nobody is in it"
    work.cohort.archived_at = now
    work.cohort.save()
    assert not submits_expected(now)


@pytest.mark.parametrize("attempts", [None, 1, 2, 5])
def test_each_student_has_own_submits_left(
    exercise, cohort, students, attempts, django_assert_num_queries
):
    """Of two classes; a student who submits more often takes nothing from the others."""
    draw, left = random.Random(attempts), 0
    spring = create_class("spring")
    others = [create_member(spring, f"other-{number}") for number in range(4)]
    now = timezone.now()
    for group in (cohort, spring):
        assign(group, exercise, due_at=now + DAY, attempts=attempts)
    staff = Learner.objects.get(user__username="eve")
    for learner in [Learner.objects.get(user=member.user) for member in students + others]:
        number = draw.randrange(6)
        left += max(0, min(attempts or 2, 2) - number)
        for _ in range(number):
            making.waiting(exercise, learner, own_pack=True)
        making.waiting(exercise, learner)  # one that cannot count
    making.waiting(exercise, staff, own_pack=True)
    with django_assert_num_queries(1):
        assert submits_expected(now) == {exercise.pk: left}


def test_need_asks_once_what_is_expected(
    exercise, cohort, students, full_pool, monkeypatch, django_assert_num_queries
):
    times = []

    def count(now):
        times.append(now)
        return submits_expected(now)

    monkeypatch.setattr(reserved_packs, "submits_expected", count)
    assign(cohort, exercise, due_at=timezone.now() + DAY, attempts=1)
    assert reserved_packs.version_in_need(early=True) == exercise.current
    assert len(times) == 1
    for member in students:
        making.waiting(exercise, Learner.objects.get(user=member.user), own_pack=True)
    with django_assert_num_queries(1):
        assert reserved_packs.version_in_need(early=True) is None


@pytest.mark.parametrize(
    ("dates", "is_soon"),
    [
        ({}, False),
        ({"closes_at": 1}, True),
        ({"due_at": 1, "closes_at": 9}, True),
        ({"due_at": -1, "closes_at": 1}, True),
        ({"due_at": 9}, False),
        ({"closes_at": -1}, False),
        ({"due_at": 1, "is_visible": False}, False),
        ({"due_at": -0.5, "grace_minutes": 13 * 60}, True),
        ({"due_at": -0.5, "grace_minutes": 11 * 60}, False),
        ({"due_at": -0.5, "grace_minutes": 13 * 60, "closes_at": 9}, True),
        ({"due_at": -0.5, "grace_minutes": 13 * 60, "closes_at": -0.1}, False),
        ({"due_at": 3.5, "grace_minutes": 13 * 60}, False),
    ],
    ids=str,
)
def test_early_packs_are_for_work_due_soon(exercise, cohort, students, full_pool, dates, is_soon):
    now = timezone.now()
    facts = {
        name: now + value * DAY if name.endswith("_at") else value for name, value in dates.items()
    }
    assign(cohort, exercise, **facts)
    fill(exercise)
    assert reserved_packs.version_in_need() is None
    assert (EarlyPacks().lowest() == exercise.current) is is_soon


def test_early_packs_are_drawn_while_nothing_waits(exercise, cohort, students, full_pool):
    assign(cohort, exercise, due_at=timezone.now() + DAY)
    fill(exercise)
    hand_in(exercise)
    assert EarlyPacks().lowest() is None
    graded()
    assert EarlyPacks().lowest() == exercise.current
    fill(exercise, 7)
    assert EarlyPacks().lowest() == exercise.current
    fill(exercise, 1)
    assert EarlyPacks().lowest() is None


@pytest.mark.parametrize("state", ["in work", "slow", "of a version without packs"])
def test_early_packs_wait_for_quick_code_only(exercise, cohort, students, full_pool, state):
    assign(cohort, exercise, due_at=timezone.now() + DAY)
    fill(exercise)
    if state == "in work":
        hand_in(exercise)
        assert EarlyPacks().lowest() is None
        assert leases.lease_next(worker="w") is not None
    elif state == "slow":
        making.waiting(exercise, slow=True)
    else:
        making.waiting(create_exercise("other"))
    assert EarlyPacks().lowest() == exercise.current


def test_early_packs_of_exercise_are_bounded(exercise, cohort, students, full_pool, monkeypatch):
    monkeypatch.setattr(reserved_packs, "MOST_EARLY", 10)
    assign(cohort, exercise, due_at=timezone.now() + DAY)
    fill(exercise, 9)
    assert EarlyPacks().lowest() == exercise.current
    fill(exercise, 1)
    assert EarlyPacks().lowest() is None


def test_early_packs_go_after_due_date(exercise, cohort, students, full_pool):
    """The exercise stays open to late work, with as many packs as before."""
    now = timezone.now()
    work = assign(cohort, exercise, due_at=now + DAY)
    fill(exercise, 16)
    periodic_tasks.forget_old_packs()
    assert reserved_packs.in_reserve().count() == 16
    work.due_at = now - DAY
    save_assignment(assignment=work, by=None)
    periodic_tasks.forget_old_packs()
    assert reserved_packs.in_reserve().count() == reserved_packs.AHEAD


def test_packs_that_rows_wait_for_are_kept(exercise, cohort, full_pool):
    work = assign(cohort, exercise)
    for number in range(3):
        hand_in(exercise, create_member(cohort, f"m{number}"))
    fill(exercise, reserved_packs.AHEAD + 5)
    periodic_tasks.forget_old_packs()
    assert reserved_packs.in_reserve().count() == reserved_packs.AHEAD + 3
    oldest = list(reserved_packs.in_reserve().order_by("pk")[:3])
    work.cohort.archived_at = timezone.now()
    work.cohort.save()
    periodic_tasks.forget_old_packs()
    assert list(reserved_packs.in_reserve().order_by("pk")) == oldest


def test_failing_version_rests_in_both_reserves(exercise, cohort, students, full_pool, monkeypatch):
    assign(cohort, exercise, due_at=timezone.now() + DAY)
    seeds = []

    def fail(*_, seed, **__):
        seeds.append(seed)
        raise AuthorError("cases.py", 3, "it raised")

    monkeypatch.setattr(background, "build_case_pack", fail)
    monkeypatch.setattr(background, "_fingerprints", lambda version: None)
    preparer = background.Preparer(stopping=threading.Event(), keep_lease=nullcontext)
    monkeypatch.setattr(preparer._sandboxes, "_opener", nullcontext)
    assert preparer._reserved()
    assert not preparer._early()
    assert len(seeds) == 1


def test_a_broken_author_leaves_nobody_waiting(exercise, cohort):
    assign(cohort, exercise)
    hand_in(exercise, create_member(cohort))
    assert leases.lease_next(worker="w") is None
    publishing.note_problem(version=exercise.current, problem="cases.py, line 1: it raised")
    assert reserved_packs.version_in_need() is None
    making.engine().put_missing()
    pool = set(case_pack_pool.in_pools().values_list("pk", flat=True))
    assert graded().pack_id in pool


def test_data_goes_a_month_after_the_work_closed(exercise, cohort):
    now = timezone.now()
    work = assign(cohort, exercise, closes_at=now + DAY)
    fill(exercise)
    hand_in(exercise, create_member(cohort))
    pack = CasePack.objects.get(pk=graded().pack_id)

    def let_pass(days):
        CasePack.objects.filter(retired_at__isnull=False).update(retired_at=now - days * DAY)
        work.opens_at = now - (days + 2) * DAY
        work.closes_at = now - (days - 1) * DAY
        save_assignment(assignment=work, by=None)
        periodic_tasks.forget_old_packs()
        pack.refresh_from_db()
        return pack.data

    assert let_pass(29) is not None
    assert let_pass(33) is None
    assert pack.seed >= 1_000
    assert reserved_packs.seed_to_draw_again(exercise.current) is None


def test_a_regrade_has_the_same_cases_when_their_data_is_gone(exercise, cohort):
    assign(cohort, exercise)
    fill(exercise)
    hand_in(exercise, create_member(cohort))
    pack = CasePack.objects.get(pk=graded().pack_id)
    CasePack.objects.filter(pk=pack.pk).update(data=None)
    assert grade_again(submission=Submission.objects.get())
    assert leases.lease_next(worker="w") is None
    assert reserved_packs.version_in_need() == exercise.current
    assert reserved_packs.seed_to_draw_again(exercise.current) == pack.seed
    reserved_packs.store(version=exercise.current, seed=pack.seed, data=b"again")
    making.engine().put_missing()
    assert graded().pack_id == pack.pk


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_preparer_fills_the_reserve_and_draws_again_what_is_gone(cohort):
    exercise = making.unverified_exercise()
    with AuthorSandboxes(open_shared) as sandboxes:
        background.verify_version(publishing.lease_unverified(), sandboxes)
        exercise.refresh_from_db()
        assign(cohort, exercise)
        data = CasePack.objects.get().data  # the first of the pool
        for seed in range(2, 1 + reserved_packs.FIRST_IN_POOL):
            case_pack_pool.add_pack(version=exercise.current, seed=seed, data=data)
        pool = background.ReservedPacks()
        for _ in range(2):
            version = pool.lowest()
            pool.draw(version, pool.new_seeds(), sandboxes.author)
        hand_in(exercise, create_member(cohort))
        before = read_pack(graded().pack_id)
        CasePack.objects.filter(seed=before.seed).update(data=None)
        read_pack.cache_clear()
        grade_again(submission=Submission.objects.get())
        version = pool.lowest()
        pool.draw(version, pool.new_seeds(), sandboxes.author)
    after = read_pack(graded().pack_id)
    assert after is not before
    assert after.seed == before.seed
    assert list(map(digest_of_call, after.cases)) == list(map(digest_of_call, before.cases))
    for one, other in zip(after.expected, before.expected, strict=True):
        assert same_observation(one, other, EXACT)
    assert CasePack.objects.filter(is_reserved=True).count() == 2
