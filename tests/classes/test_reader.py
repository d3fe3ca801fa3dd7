"""Marks as they are read: in eight queries, without a worker, with exceptions and overrides."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.assessment.services import answer, start_attempt
from quizzes.classes.assignments import override_mark, set_exceptions
from quizzes.classes.marks import marks, marks_of
from quizzes.classes.marks.cells import State
from quizzes.classes.marks.reader import students
from quizzes.classes.models import Assignment, FrozenMarks, MarkOverride
from quizzes.classes.services import remove_member
from quizzes.worker.periodic_tasks import hand_in_some_overdue
from tests.exercises.making import ready_exercise
from tests.factories import (
    DAY,
    assign,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_quiz,
    create_submission,
    read_step,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def values(cohort, **more):
    """Return by member the state and the points of every cell."""
    return {
        one.membership.name: [(cell.state.value, cell.value) for _, _, cell in one.cells]
        for one in marks(cohort, **more).members
    }


def test_each_kind_of_work_is_marked(cohort):
    now = timezone.now()
    ada, bob = create_member(cohort, "ada"), create_member(cohort, "bob")
    create_member(cohort, "teacher", role="instructor")
    due = {"due_at": now - 2 * DAY, "closes_at": now + DAY, "late_percent_per_day": 10}
    quiz = assign(cohort, create_quiz(), **due)
    code = assign(cohort, ready_exercise(), exercise_counts="cases", **due)
    lesson = create_lesson(asks={"two": "codes-1"})
    assign(cohort, lesson, due_at=now)
    create_attempt(quiz, ada, 1, now - 3 * DAY)
    create_attempt(quiz, ada, 2, now - timedelta(hours=25))  # one day late: 9 points
    create_submission(code, ada, "wrong", now - 3 * DAY, passed=2)
    create_submission(code, bob, "correct", now - 3 * DAY, passed=5)
    read_step(ada, lesson, "one", now - DAY)
    late, handed_in = State.LATE, State.SUBMITTED
    found = values(cohort)
    assert found == {
        "Ada": [(late, Decimal(9)), (handed_in, Decimal(4)), (State.OPEN, Decimal(5))],
        "Bob": [(State.NOT_STARTED, None), (handed_in, Decimal(10)), (State.MISSED, Decimal(0))],
    }
    question = quiz.quiz.places.get(order=1).question.current
    option = question.options.get(is_key=False)
    Response.objects.create(
        learner=ada.user.learner,
        step="basics/two",
        version=question,
        option_order=[option.pk],
        choice=option,
        is_right=False,
        score=Decimal(0),
        answered_at=now - DAY,
    )
    assert values(cohort)["Ada"][2] == (handed_in, Decimal(10))  # wrong, but answered
    assert [cell for *_, cell in marks_of(ada).cells] == [
        cell for *_, cell in marks(cohort, now=timezone.now()).members[0].cells
    ]


def test_eight_queries_at_two_and_at_thirty_members(cohort):
    now = timezone.now()
    for thing in (create_quiz(), ready_exercise(), create_lesson()):
        assign(cohort, thing, due_at=now)
    counts = []
    for more in (2, 28):
        for number in range(more):
            member = create_member(cohort, f"m{more}-{number}")
            create_attempt(cohort.assignments.first(), member, 1, now - DAY)
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert len(marks(cohort).members) >= more
        counts.append(len(found))
    assert counts == [8, 8]


def test_a_class_of_quizzes_gets_the_same_marks_without_any_worker(cohort):
    start = timezone.now()
    ada, bob = create_member(cohort, "ada"), create_member(cohort, "bob", extra_time_percent=50)
    quiz = assign(cohort, create_quiz(), minutes=10)
    for member in (ada, bob):
        attempt = start_attempt(learner=member.user.learner, quiz=quiz.quiz, sitting=quiz.sitting)
        right = attempt.responses.first()
        key = right.version.options.get(is_key=True)
        answer(attempt=attempt, choices={right.pk: key.pk})
        # The laptop is closed here, twenty minutes ago.
        Attempt.objects.filter(pk=attempt.pk).update(
            started_at=attempt.started_at - timedelta(minutes=20),
            deadline_at=attempt.deadline_at - timedelta(minutes=20),
        )
    without = values(cohort)
    assert without == {name: [(State.SUBMITTED, Decimal(5))] for name in ("Ada", "Bob")}
    assert Attempt.objects.filter(submitted_at=None).count() == 2
    assert not hand_in_some_overdue(), "nothing is left to hand in"
    assert values(cohort) == without
    assert not Attempt.objects.filter(submitted_at=None).exists()
    limits = {
        one.learner.user.username: round((one.deadline_at - start).total_seconds() / 60)
        for one in Attempt.objects.select_related("learner__user")
    }
    assert limits == {"ada": -10, "bob": -5}  # bob had 15 minutes


def test_an_attempt_counts_for_the_assignment_it_was_begun_in(cohort):
    now = timezone.now()
    ada, quiz = create_member(cohort), create_quiz()
    exam, again = (
        assign(cohort, quiz),
        assign(cohort, quiz, points=Decimal(20)),
    )
    other = create_class("spring")
    elsewhere = assign(other, quiz)
    Member = create_member(other, "ada")
    create_attempt(exam, ada, 2, now - DAY)
    free = create_attempt(exam, ada, 2, now - DAY)
    Attempt.objects.filter(pk=free.pk).update(sitting=None)
    assert [value for _, value in values(cohort)["Ada"]] == [Decimal(10), None]
    assert values(other)[Member.name] == [(State.NOT_STARTED, None)]
    assert again.sitting != elsewhere.sitting


def test_a_later_extension_mends_lateness_by_itself(cohort):
    now = timezone.now()
    ada, bob = create_member(cohort, "ada"), create_member(cohort, "bob")
    quiz = assign(cohort, create_quiz(), due_at=now - 3 * DAY, late_percent_per_day=50)
    for member in (ada, bob):
        create_attempt(quiz, member, 2, now - DAY)
    assert [value[0][1] for value in values(cohort).values()] == [Decimal(0)] * 2
    set_exceptions(assignment=quiz, members=[ada], values={"due_at": now - DAY}, by=None)
    assert [value[0][1] for value in values(cohort).values()] == [Decimal(10), Decimal(0)]
    set_exceptions(assignment=quiz, members=[bob], values={"is_excused": True}, by=None)
    assert values(cohort)["Bob"] == [(State.EXCUSED, None)]


def test_an_override_stays_whatever_happens_and_can_be_taken_back(cohort):
    now = timezone.now()
    ada = create_member(cohort)
    quiz = assign(cohort, create_quiz(), due_at=now - DAY)
    create_attempt(quiz, ada, 1, now - 2 * DAY)
    override_mark(assignment=quiz, membership=ada, points=Decimal("8.5"), reason="oral", by=None)
    set_exceptions(assignment=quiz, members=[ada], values={"is_excused": True}, by=None)
    cell = marks_of(ada).cells[0][2]
    assert (cell.state, cell.value, cell.reason) == (State.OVERRIDDEN, Decimal("8.5"), "oral")
    assert cell.would_be.state == State.EXCUSED
    override_mark(assignment=quiz, membership=ada, points=None, reason="mistaken", by=None)
    assert marks_of(ada).cells[0][2].state == State.EXCUSED
    row = MarkOverride.objects.first()
    with pytest.raises(ValueError, match="never change"):
        row.save()


def test_a_frozen_mark_is_the_mark(cohort):
    ada = create_member(cohort)
    quiz = assign(cohort, create_quiz())
    create_attempt(quiz, ada, 2, timezone.now())
    FrozenMarks.objects.create(
        membership=ada, assignment=quiz, points=Decimal("7.12345"), state=State.LATE
    )
    create_attempt(quiz, ada, 1, timezone.now())  # what happens after it changes nothing
    cell = marks(cohort).members[0].cells[0][2]
    assert (cell.value, cell.state, cell.is_frozen) == (Decimal("7.12345"), State.LATE, True)


@pytest.mark.parametrize(
    ("stored", "state"),
    [
        ("not begun", State.NOT_STARTED),
        ("handed in", State.SUBMITTED),
        ("nothing handed in", State.MISSED),
        ("nothing submitted", State.MISSED),
        ("late", State.LATE),
    ],
)
def test_reader_knows_states_of_older_versions(cohort, stored, state):
    ada = create_member(cohort)
    quiz = assign(cohort, create_quiz())
    FrozenMarks.objects.create(membership=ada, assignment=quiz, points=None, state=stored)
    assert marks(cohort).members[0].cells[0][2].state == state


def test_removed_members_are_left_out_unless_asked(cohort):
    create_member(cohort, "ada", state="removed")
    create_member(cohort, "bob")
    assert list(values(cohort)) == ["Bob"]


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("lesson", {"minutes": 5}),
        ("exercise", {"minutes": 5}),
        ("exercise", {"shuffle_questions": True}),
        ("exercise", {"counts": "last"}),
        ("quiz", {"exercise_counts": "cases"}),
        ("lesson", {"attempts": 2}),
        ("lesson", {"late_percent_per_day": 5}),
        ("quiz", {"points": Decimal(0)}),
        ("quiz", {"late_percent_per_day": 101}),
        ("quiz", {"shows_answers": "after_due"}),
        ("quiz", {"practice": "after_close"}),
    ],
)
def test_the_database_refuses_a_rule_that_means_nothing(cohort, kind, wrong):
    thing = {"lesson": create_lesson, "exercise": ready_exercise, "quiz": create_quiz}[kind]()
    with pytest.raises(ValidationError):
        assign(cohort, thing, **wrong)
    facts = {"points": Decimal(1), "opens_at": timezone.now(), kind: thing} | wrong
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(cohort=cohort, **facts)


def test_dates_in_the_wrong_order_are_refused_with_whom_they_concern(cohort):
    now = timezone.now()
    ada = create_member(cohort)
    quiz = assign(cohort, create_quiz(), due_at=now, closes_at=now + DAY)
    with pytest.raises(ValidationError, match="For Ada, the assignment closes before it is due"):
        set_exceptions(assignment=quiz, members=[ada], values={"due_at": now + 2 * DAY}, by=None)
    set_exceptions(assignment=quiz, members=[ada], values={"due_at": now + DAY}, by=None)
    quiz.closes_at = now + DAY / 2
    from quizzes.classes.assignments import save_assignment

    with pytest.raises(ValidationError, match="Under the exception for Ada"):
        save_assignment(assignment=quiz, by=None)


def test_a_mark_set_by_hand_after_the_person_was_removed_counts(cohort):
    ada, quiz = create_member(cohort), assign(cohort, create_quiz())
    create_attempt(quiz, ada, 1, timezone.now())
    override_mark(assignment=quiz, membership=ada, points=Decimal(9), reason="Oral part.", by=None)
    remove_member(member=ada, by=create_member(cohort, "ida", role="instructor").user)
    removed = students(cohort, removed_too=True)
    assert values(cohort, members=removed) == {"Ada": [(State.OVERRIDDEN, Decimal(9))]}
    override_mark(assignment=quiz, membership=ada, points=Decimal(4), reason="A mistake.", by=None)
    assert values(cohort, members=removed) == {"Ada": [(State.OVERRIDDEN, Decimal(4))]}
