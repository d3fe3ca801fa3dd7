"""A person's page: all their dates, and everything due between two days moved at once."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from quizzes.classes.assignments import set_exceptions
from quizzes.classes.models import AssignmentException
from quizzes.courses.models import AuditEntry
from tests.exercises.making import ready_exercise
from tests.factories import assign, browser_of, create_member, create_quiz

pytestmark = pytest.mark.django_db
OPENS = datetime(2026, 10, 1, 6, 0, tzinfo=UTC)


@pytest.fixture
def work(cohort):
    """A quiz due on 22 October that closes on the 24th, an exercise due on 5 November."""
    quiz = assign(
        cohort,
        create_quiz(),
        opens_at=OPENS,
        due_at=datetime(2026, 10, 22, 21, 59, tzinfo=UTC),
        closes_at=datetime(2026, 10, 24, 21, 59, tzinfo=UTC),
    )
    code = assign(
        cohort, ready_exercise(), opens_at=OPENS, due_at=datetime(2026, 11, 5, 22, 59, tzinfo=UTC)
    )
    return quiz, code


@pytest.fixture
def ada(cohort):
    return create_member(cohort, "ada")


def address(member, page="class-member"):
    return reverse(f"teaching:{page}", args=[member.cohort.slug, member.pk])


def move(browser, member, first, last, days, note=""):
    typed = {"first": first, "last": last, "days": days, "note": note}
    return browser.post(address(member, "class-member-dates"), typed, follow=True)


def test_page_shows_own_and_common_dates(teacher, work, ada):
    quiz, _ = work
    due = datetime(2026, 10, 30, 22, 59, tzinfo=UTC)
    set_exceptions(
        assignment=quiz, members=[ada], values={"due_at": due, "closes_at": due}, by=None
    )
    page = teacher.get(address(ada)).content.decode()
    assert "<strong>Fri 30 Oct, 23:59</strong>" in page
    assert "Thu 5 Nov, 23:59" in page
    assert "<strong>Thu 5 Nov, 23:59</strong>" not in page


def test_everything_due_between_two_days_moves(teacher, work, ada):
    quiz, _ = work
    answer = move(teacher, ada, "2026-10-22", "2026-10-31", 7, "ill for a week")
    own = AssignmentException.objects.get()
    assert (own.membership, own.assignment, own.note) == (ada, quiz, "ill for a week")
    # Both at the same time of the clock, which changed on 25 October.
    assert own.due_at == datetime(2026, 10, 29, 22, 59, tzinfo=UTC)
    assert own.closes_at == datetime(2026, 10, 31, 22, 59, tzinfo=UTC)
    assert own.opens_at is None
    assert "due Thursday 29 October, 23:59" in answer.content.decode()
    assert "made an exception for 1 member" in AuditEntry.objects.values_list("act", flat=True)


def test_own_due_date_decides_and_moves(teacher, work, ada):
    _, code = work
    due = datetime(2026, 11, 20, 22, 59, tzinfo=UTC)
    set_exceptions(assignment=code, members=[ada], values={"due_at": due}, by=None)
    move(teacher, ada, "2026-11-05", "2026-11-05", 3)
    assert AssignmentException.objects.get().due_at == due
    move(teacher, ada, "2026-11-20", "2026-11-20", 3)
    assert AssignmentException.objects.get().due_at == due + timedelta(days=3)


def test_date_that_is_earlier_on_purpose_stays_so(teacher, work, ada):
    quiz, _ = work
    due = datetime(2026, 10, 10, 21, 59, tzinfo=UTC)
    values = {"due_at": due, "earlier_on_purpose": True}
    set_exceptions(assignment=quiz, members=[ada], values=values, by=None)
    move(teacher, ada, "2026-10-10", "2026-10-10", 2)
    own = AssignmentException.objects.get()
    assert own.due_at == due + timedelta(days=2)
    assert own.earlier_on_purpose


def test_date_that_is_no_longer_earlier_follows_the_class(teacher, work, ada):
    quiz, _ = work
    due = datetime(2026, 10, 10, 21, 59, tzinfo=UTC)
    values = {"due_at": due, "earlier_on_purpose": True}
    set_exceptions(assignment=quiz, members=[ada], values=values, by=None)
    move(teacher, ada, "2026-10-10", "2026-10-10", 20)
    assert not AssignmentException.objects.get().earlier_on_purpose


def test_class_that_never_closes_stays_open(teacher, cohort, ada):
    due = datetime(2026, 10, 22, 21, 59, tzinfo=UTC)
    never = datetime(9999, 12, 31, 22, 59, tzinfo=UTC)
    assign(cohort, create_quiz(), opens_at=OPENS, due_at=due, closes_at=never)
    move(teacher, ada, "2026-10-22", "2026-10-22", 7)
    own = AssignmentException.objects.get()
    assert own.due_at == datetime(2026, 10, 29, 22, 59, tzinfo=UTC)
    assert own.closes_at is None


def test_refusal_names_its_assignment(teacher, work, ada):
    quiz, _ = work
    own = datetime(2026, 10, 5, 21, 59, tzinfo=UTC)
    AssignmentException.objects.create(
        assignment=quiz, membership=ada, closes_at=own, opens_at=OPENS, note="older than the rule"
    )
    quiz.refresh_from_db()
    type(quiz).objects.filter(pk=quiz.pk).update(closes_at=None)
    answer = move(teacher, ada, "2026-10-22", "2026-10-22", 7)
    assert answer.status_code in {200, 400}
    if answer.status_code == 400:
        assert f"“{quiz.title}”: " in answer.content.decode()


@pytest.mark.parametrize(
    ("first", "last", "days", "words"),
    [
        ("2026-12-01", "2026-12-31", 7, "Nothing is due from 2026-12-01 to 2026-12-31."),
        ("2026-10-31", "2026-10-22", 7, "2026-10-22 is before 2026-10-31."),
        ("2026-10-22", "2026-10-31", 0, "greater than or equal to 1"),
        ("2026-10-22", "2026-10-31", 366, "less than or equal to 365"),
        ("soon", "2026-10-31", 7, "Type a date such as 2026-09-30."),
    ],
)
def test_wrong_request_moves_nothing(teacher, work, ada, first, last, days, words):
    answer = move(teacher, ada, first, last, days, "my note")
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert 'value="my note"' in answer.content.decode()
    assert not AssignmentException.objects.exists()


def test_date_beyond_the_calendar_is_refused(teacher, cohort, ada):
    last = datetime(9999, 12, 30, 12, 0, tzinfo=UTC)
    assign(cohort, create_quiz(), opens_at=OPENS, due_at=last, points=Decimal(1))
    answer = move(teacher, ada, "9999-12-30", "9999-12-31", 300)
    assert answer.status_code == 400
    assert "outside the calendar" in answer.content.decode()


def test_assistant_may_move_and_others_may_not(cohort, work, ada):
    helper = browser_of(create_member(cohort, "bob", role="assistant").user)
    assert move(helper, ada, "2026-10-22", "2026-10-31", 7).status_code == 200
    student = browser_of(create_member(cohort, "eve").user)
    assert move(student, ada, "2026-10-22", "2026-10-31", 7).status_code == 404
    assert AssignmentException.objects.get().due_at.date() == date(2026, 10, 29)


def test_invited_person_has_dates_before_joining(teacher, work, cohort):
    invited = create_member(cohort, "new", state="invited")
    move(teacher, invited, "2026-10-01", "2026-12-31", 7)
    assert AssignmentException.objects.filter(membership=invited).count() == 2
