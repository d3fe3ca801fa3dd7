"""The made-up class: the same seed gives the same class, and its marks can be read."""

from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.classes.access import (
    class_with_role,
    is_demo_class_coming,
    role_in_class,
    taught_classes,
)
from quizzes.classes.demo import creation, pauses, work
from quizzes.classes.demo.creation import (
    DemoError,
    begin_demo_class,
    fill_waiting_class,
    forget_begun_class,
    make_demo_class,
)
from quizzes.classes.marks.reader import marks
from quizzes.classes.models import Cohort, Membership
from quizzes.courses.roles import set_instructor
from quizzes.exercises.models import ExerciseVersion, Submission
from quizzes.grader.api import Verdict
from quizzes.grader.judge.judge import grade_code
from quizzes.learners.models import Learner, User
from quizzes.worker import periodic_tasks
from tests.courses import some_course
from tests.exercises import making
from tests.exercises.making import ready_exercise, unverified_exercise
from tests.factories import create_account, create_class, create_quiz
from tests.shared_sandboxes import shared_pack, shared_sandbox

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def facts(cohort):
    students = cohort.memberships.filter(role="student").order_by("pk")
    people = list(students.values_list("name", "section", "external_id"))
    right = Response.objects.filter(attempt__sitting__isnull=False)
    return people, list(right.order_by("pk").values_list("order", "is_right"))


def test_the_same_seed_gives_the_same_class():
    ida = create_account("ida", role="")
    create_quiz()
    first = make_demo_class(course=some_course(), by=ida, slug="demo", people=12, seed=7)
    assert first.students == first.cohort.memberships.filter(role="student").count() == 12
    assert 0 < first.attempts <= 12
    before = facts(first.cohort)
    assert any(cell.value for one in marks(first.cohort).members for _, _, cell in one.cells)
    with pytest.raises(DemoError, match="already"):
        make_demo_class(course=some_course(), by=ida, slug="demo")
    Response.objects.all().delete()
    second = make_demo_class(course=some_course(), by=ida, slug="again", people=12, seed=7)
    assert facts(second.cohort) == before
    assert not Submission.objects.exists()  # the course has no verified exercise


def test_newest_code_of_each_mistake_waits(capsys):
    create_account("ida", role="")
    create_quiz()
    ready_exercise()
    call_command("demo_class", instructor="ida", people=40)
    rows = Submission.objects.order_by("submitted_at", "pk")
    waiting = [row for row in rows if row.graded_at is None and row.pack is not None]
    codes = {row.code for row in waiting}  # each that of a wrong solution
    assert len(waiting) == len(codes) > 1
    assert set(rows.exclude(known_mistake="").values_list("code", flat=True)) <= codes
    for row in waiting:
        assert not rows.filter(code=row.code, submitted_at__gt=row.submitted_at).exists()
    assert f"A worker grades {len(waiting)} of them once more" in capsys.readouterr().out


def code_without_name():
    """Make a class, and return the code in it that no file of the exercise has."""
    create_quiz()
    ready_exercise()
    ida = create_account("ida", role="")
    made = make_demo_class(course=some_course(), by=ida, slug="demo", people=60)
    rows = Submission.objects.filter(pack=None)
    assert made.submissions == Submission.objects.count()
    return list(rows)


def test_seven_newcomers_submit_an_unnamed_mistake():
    rows = code_without_name()
    assert len({row.learner for row in rows}) == len({row.code for row in rows}) == 7
    assert all(row.graded_at is None and row.submitted_at <= timezone.now() for row in rows)
    others = Submission.objects.exclude(pack=None)
    assert not others.filter(learner__in=[row.learner for row in rows]).exists()


def test_known_mistakes_pass_as_many_cases_as_verified():
    create_quiz()
    variants = ready_exercise().current.definition.wrong
    proof = {"cases": [{}] * 16, "variants": [{"slug": slug, "caught_by": 13} for slug in variants]}
    ExerciseVersion.objects.update(proof=proof)
    ida = create_account("ida", role="")
    make_demo_class(course=some_course(), by=ida, slug="demo", people=12)
    rows = Submission.objects.exclude(pack=None)
    counts = set(rows.values_list("verdict", "cases_passed", "cases_total"))
    assert counts == {("known_mistake", 3, 16), ("correct", 16, 16)}


@pytest.mark.sandbox
@pytest.mark.slow
def test_demo_group_is_one_without_name():
    pack, student = shared_pack("sinusoidal-table"), shared_sandbox("student")
    reports = [grade_code(pack, row.code, student) for row in code_without_name()]
    assert {report.verdict for report in reports} == {Verdict.WRONG}
    (fingerprint,) = {report.fingerprint for report in reports}
    assert fingerprint


@pytest.mark.parametrize(
    "error", [RuntimeError("the disk is full"), KeyboardInterrupt("the disk is full")]
)
def test_a_failure_half_way_leaves_nothing_and_the_name_is_free(monkeypatch, error):
    ida, real = create_account("ida", role=""), work.submit_attempt
    create_quiz()
    User.objects.create_user("demo-person")  # an account of somebody real

    def fails_at_the_third(**given):
        if Attempt.objects.count() == 3:
            raise error
        return real(**given)

    monkeypatch.setattr(work, "submit_attempt", fails_at_the_third)
    with pytest.raises((DemoError, KeyboardInterrupt), match="disk is full"):
        make_demo_class(course=some_course(), by=ida, slug="demo", people=12, seed=7)
    assert [model.objects.count() for model in (Cohort, Learner, Attempt, Response)] == [0] * 4
    assert set(User.objects.values_list("username", flat=True)) == {"ida", "demo-person"}
    monkeypatch.undo()
    assert make_demo_class(course=some_course(), by=ida, slug="demo", people=3).attempts


@pytest.mark.both_databases
def test_no_transaction_is_open_between_two_attempts(monkeypatch):
    """One around the whole would keep every other writer of SQLite waiting for it."""
    ida, real = create_account("ida", role=""), work.start_attempt
    create_quiz()
    around, depths = len(connection.savepoint_ids), []

    def noting(**given):
        depths.append(len(connection.savepoint_ids))
        return real(**given)

    monkeypatch.setattr(work, "start_attempt", noting)
    make_demo_class(course=some_course(), by=ida, slug="demo", people=4)
    assert set(depths) == {around}


@pytest.mark.both_databases
def test_the_command_says_what_is_wrong():
    some_course()
    for options in ({"people": 0}, {"instructor": "nobody"}, {"course": "gone"}):
        with pytest.raises(CommandError):
            call_command("demo_class", **options)
    create_account("ida", role="")
    call_command("demo_class", instructor="ida", people=3)
    assert Membership.objects.filter(cohort=Cohort.objects.get(), role="student").count() == 3


# ---- left to a worker


@pytest.fixture
def instructor(monkeypatch):
    monkeypatch.setattr(creation, "PEOPLE", 5)
    monkeypatch.setattr(creation, "MOST_WAIT_SECONDS", 0.0)  # no worker grades here
    user = create_account("instructor", role="")
    User.objects.filter(pk=user.pk).update(is_demo=True)
    set_instructor(user=user, teaches=True)
    return user


def taught_by(user):
    return Cohort.objects.filter(memberships__user=user, memberships__role="instructor")


def test_a_worker_fills_what_was_begun(instructor):
    create_quiz()
    ready_exercise()
    assert begin_demo_class(course=some_course())
    assert not taught_by(instructor).exists()
    fill_waiting_class()
    cohort = taught_by(instructor).get()
    assert cohort.memberships.filter(role="student").count() == 5
    assert Attempt.objects.exists()
    assert Submission.objects.exclude(known_mistake="").exists()
    assert Submission.objects.ungraded().exists()  # for the pictures
    fill_waiting_class()
    assert Cohort.objects.get() == cohort, "never twice"


def test_no_class_is_begun_beside_another():
    create_class()
    assert not begin_demo_class(course=some_course())
    assert Cohort.objects.count() == 1


def test_filling_waits_for_the_first_exercises(instructor):
    create_quiz()
    exercise = unverified_exercise()
    begin_demo_class(course=exercise.course)
    fill_waiting_class()
    assert not Membership.objects.exists()
    Cohort.objects.update(made_at=timezone.now() - creation.PATIENCE)
    fill_waiting_class()
    assert taught_by(instructor).get().memberships.filter(role="student").count() == 5


class KilledError(BaseException):
    """Stands for the end of a process: nothing runs after it."""


@pytest.mark.parametrize(
    "where",
    [
        "add_students",
        "take_quiz",
        "announce",
        "submit_unnamed_mistake",
        "grade_newest_again",
    ],
)
def test_next_worker_removes_what_a_killed_one_left(instructor, monkeypatch, where):
    create_quiz()
    ready_exercise()
    User.objects.create_user("demo-person")  # an account of somebody real
    begin_demo_class(course=some_course())
    real = getattr(creation, where)

    def work_and_die(*values, **options):
        real(*values, **options)
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(creation, where, work_and_die)
        with pytest.raises(KilledError):
            fill_waiting_class()
    assert User.objects.filter(username="demo-001").exists()
    assert not taught_by(instructor).exists()
    fill_waiting_class()
    assert taught_by(instructor).get().memberships.filter(role="student").count() == 5
    assert User.objects.count() == 5 + 2
    assert Learner.objects.count() == 5
    assert Cohort.objects.count() == 1


def fails(*_values, **_options):
    raise RuntimeError("the disk is full")


def test_class_survives_a_passing_error(instructor, monkeypatch):
    create_quiz()
    begin_demo_class(course=some_course())
    with monkeypatch.context() as patch:
        patch.setattr(creation, "announce", fails)
        with pytest.raises(RuntimeError, match="disk is full"):
            fill_waiting_class()
    fill_waiting_class()
    assert taught_by(instructor).get().memberships.filter(role="student").count() == 5
    assert User.objects.count() == 5 + 1


def test_class_that_keeps_failing_is_given_up(instructor, monkeypatch, caplog):
    create_quiz()
    begin_demo_class(course=some_course())
    monkeypatch.setattr(creation, "announce", fails)
    with pytest.raises(RuntimeError):
        fill_waiting_class()
    Cohort.objects.update(made_at=timezone.now() - creation.TRIED_FOR)
    fill_waiting_class()
    assert not Cohort.objects.exists()
    assert User.objects.get() == instructor
    assert "the demo class could not be finished" in caplog.text
    assert "tried again later" not in caplog.text


@pytest.mark.both_databases
@pytest.mark.parametrize(("slow", "seconds"), [(True, 0), (False, 2)])
def test_class_waits_for_quick_code_only(monkeypatch, slow, seconds):
    """And no longer than it may in all: nobody may be grading."""
    making.waiting(ready_exercise(), slow=slow)
    rest = pauses.rest_while_code_waits(seconds=2.0)
    slept = []
    monkeypatch.setattr(pauses, "let_others_write", lambda: None)
    # Its own clock: other threads of the process sleep by the module `time` meanwhile.
    clock = SimpleNamespace(sleep=slept.append, monotonic=lambda: sum(slept))
    monkeypatch.setattr(pauses, "time", clock)
    for _ in range(3):
        rest()
    assert sum(slept) == pytest.approx(seconds, abs=0.1)


def test_superuser_sees_no_class_half_way():
    create_quiz()
    begin_demo_class(course=some_course())
    cohort = Cohort.objects.get()
    root = User.objects.create_superuser("root")
    assert not taught_classes(root).exists()
    assert role_in_class(cohort, root) is None
    assert class_with_role(cohort.slug, root) == (None, None)
    Cohort.objects.update(is_being_filled=False)
    assert taught_classes(root).get() == cohort
    assert class_with_role(cohort.slug, root) == (cohort, "instructor")


def test_setting_that_is_off_removes_a_begun_class(settings, instructor, monkeypatch):
    create_quiz()
    begin_demo_class(course=some_course())
    with monkeypatch.context() as patch:
        patch.setattr(creation, "announce", fails)
        with pytest.raises(RuntimeError):
            fill_waiting_class()
    assert is_demo_class_coming(User.objects.get(pk=instructor.pk))
    settings.DEMO_CLASS = False
    assert not is_demo_class_coming(User.objects.get(pk=instructor.pk))
    forget_begun_class()
    assert not Cohort.objects.exists()
    assert User.objects.get() == instructor


def test_people_who_signed_in_are_kept():
    begin_demo_class(course=some_course())
    person = create_account("demo-001", last_login=timezone.now())
    person.set_unusable_password()  # it comes from a university
    person.save()
    forget_begun_class()
    assert User.objects.get() == person


def test_without_a_demo_instructor_nothing_stays():
    begin_demo_class(course=some_course())
    fill_waiting_class()
    assert not Cohort.objects.exists()
    assert not User.objects.exists()


@pytest.mark.parametrize("on", [True, False])
def test_workers_fill_classes_where_the_setting_is_on(settings, on):
    settings.DEMO_CLASS = on
    assert ("fill the demo class" in [task.name for task in periodic_tasks.tasks()]) is on
