"""A class opened as another was: its assignments and rules, with dates moved by whole weeks."""

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from quizzes.classes.dates import days_later, exists_in
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.classes.moved_dates.next_term import SAME
from tests.exercises.making import ready_exercise
from tests.factories import (
    assign,
    browser_of,
    create_account,
    create_class,
    create_lesson,
    create_member,
    create_quiz,
)

VIENNA = ZoneInfo("Europe/Vienna")
ZONES = [VIENNA, ZoneInfo("UTC"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Kolkata")]
FIELDS = ("opens_at", "due_at", "closes_at")


@given(
    at=st.datetimes(datetime(2000, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)),
    days=st.integers(-400, 400),
    zone=st.sampled_from(ZONES),
    new_zone=st.sampled_from(ZONES),
)
def test_moved_date_shows_same_time(at, days, zone, new_zone):
    wall = at.astimezone(zone).replace(tzinfo=None) + timedelta(days=days)
    shown = days_later(at, days, zone, new_zone).astimezone(new_zone).replace(tzinfo=None)
    if exists_in(wall, new_zone):
        assert shown == wall
    else:
        assert timedelta() < shown - wall <= timedelta(hours=1)


def test_time_shown_twice_is_meant_later():
    at = datetime(2026, 10, 18, 0, 30, tzinfo=UTC)  # 02:30 in Vienna, a week before the change
    assert days_later(at, 7, VIENNA) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


@pytest.fixture
def model(db):
    """A class of 2026 whose quiz is due on a Thursday at 23:59 in Vienna."""
    cohort = create_class("autumn")
    Cohort.objects.filter(pk=cohort.pk).update(
        begins_on=date(2026, 10, 5), ends_on=date(2027, 1, 29)
    )
    cohort.refresh_from_db()
    assign(
        cohort,
        create_quiz(),
        opens_at=datetime(2026, 10, 12, 6, 0, tzinfo=UTC),
        due_at=datetime(2026, 10, 22, 21, 59, tzinfo=UTC),
        closes_at=datetime(2026, 10, 29, 22, 59, tzinfo=UTC),  # after the clocks went back
        attempts=2,
        minutes=30,
        points=Decimal("7.5"),
        late_percent_per_day=10,
        shows_answers="after_close",
    )
    assign(cohort, ready_exercise(), due_at=None, exercise_counts="cases", is_visible=False)
    return cohort


@pytest.fixture
def teacher(model):
    return browser_of(instructor_of(model, "teacher"))


def instructor_of(cohort, name):
    """An account that teaches the class and may open others."""
    account = create_account(name, role="")
    Membership.objects.create(
        cohort=cohort, user=account, role="instructor", state="active", joined_at=timezone.now()
    )
    return account


def facts(model, **more):
    """The class's own fields of the form."""
    return {
        "course": model.course.slug,
        "title": "Spring",
        "slug": "spring",
        "begins_on": "2027-03-01",
        "ends_on": "2027-06-25",
        "zone": "Europe/Vienna",
        "model": model.slug,
        **more,
    }


def table(page: str) -> dict[str, str]:
    """The dates of the table as a browser would send them, and the ticks."""
    typed = re.findall(r'name="(a\d+-\w+)" value="([^"]*)"', page)
    ticks = dict.fromkeys(re.findall(r'name="(a\d+-is_copied)"[^>]* checked', page), "on")
    return dict(typed) | ticks


def opened(teacher, model, **changes):
    page = teacher.get(reverse("teaching:next-term"), facts(model)).content.decode()
    return teacher.post(
        reverse("teaching:next-term"), {**facts(model), **table(page), "do": "open", **changes}
    )


def test_choice_of_a_class_leads_to_the_table(teacher, model):
    answer = teacher.post("/teach/classes/", facts(model))
    assert answer.status_code == 302
    page = teacher.get(answer["Location"]).content.decode()
    assert "moved by 21 weeks" in page
    assert 'value="2027-03-18T23:59"' in page  # a Thursday again, on the winter's clock
    assert not Cohort.objects.filter(slug="spring").exists()


def test_new_class_has_assignments_of_the_model(teacher, model):
    answer = opened(teacher, model)
    assert answer["Location"] == "/teach/classes/spring/assignments/"
    quiz, code = Assignment.objects.filter(cohort__slug="spring").order_by("place")
    old_quiz, old_code = model.assignments.order_by("place")
    for new, old in ((quiz, old_quiz), (code, old_code)):
        assert new.thing == old.thing
        assert {name: getattr(new, name) for name in SAME} == {
            name: getattr(old, name) for name in SAME
        }
    assert quiz.due_at == datetime(2027, 3, 18, 22, 59, tzinfo=UTC)
    assert quiz.closes_at == datetime(2027, 3, 25, 22, 59, tzinfo=UTC)
    assert code.due_at is None
    assert quiz.revision == 0


def test_every_setting_is_copied_or_dated():
    """A field that an assignment gets later must be copied, or named here as its own."""
    own = {"id", "cohort", "quiz", "exercise", "lesson", "revision", "steps", "made_at"}
    own |= {"old_rules_until", "elapsed_days_until"}
    names = {field.name for field in Assignment._meta.get_fields() if field.concrete}
    assert names == own | set(SAME) | set(FIELDS)


def test_dates_can_be_corrected_and_work_left_out(teacher, model):
    first, second = model.assignments.order_by("place")
    opened(
        teacher, model, **{f"a{first.pk}-due_at": "2027-03-19T12:00", f"a{second.pk}-is_copied": ""}
    )
    made = Assignment.objects.get(cohort__slug="spring")
    assert made.quiz == first.quiz
    assert made.due_at == datetime(2027, 3, 19, 11, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("due_at", "2027-03-01T00:00", "It is due before it opens."),
        ("closes_at", "2027-03-17T00:00", "It closes before it is due."),
        ("closes_at", "", "Needs a closing date: answers are shown after it."),
        ("opens_at", "", "Type when it opens, or untick it."),
        ("due_at", "2027-03-28T02:30", "does not exist in Vienna"),
        ("due_at", "soon", "is not a date and time"),
    ],
)
def test_wrong_date_opens_no_class(teacher, model, field, typed, words):
    quiz = model.assignments.get(quiz__isnull=False)
    answer = opened(teacher, model, **{f"a{quiz.pk}-{field}": typed})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert words in page
    assert 'value="Spring"' in page  # nothing typed is lost
    assert not Cohort.objects.filter(slug="spring").exists()


def test_class_with_a_fault_is_not_opened(teacher, model):
    answer = opened(teacher, model, slug="autumn")
    assert answer.status_code == 400
    assert "A class named autumn already exists" in answer.content.decode()
    assert Cohort.objects.count() == 1


def test_work_that_is_gone_is_not_offered(teacher, model):
    exercise = model.assignments.get(exercise__isnull=False).exercise
    type(exercise).objects.filter(pk=exercise.pk).update(withdrawn_at=datetime.now(UTC))
    page = teacher.get(reverse("teaching:next-term"), facts(model)).content.decode()
    assert "No longer in the course" in page
    pk = model.assignments.get(exercise__isnull=False).pk
    opened(teacher, model, **{f"a{pk}-is_copied": "on", f"a{pk}-opens_at": "2027-03-01T00:00"})
    assert [row.quiz_id is None for row in Assignment.objects.filter(cohort__slug="spring")] == [
        False
    ]


def test_lesson_counts_the_steps_of_today(teacher, model):
    lesson = create_lesson("sums", ["adding", "subtracting"])
    assign(model, lesson, opens_at=datetime(2026, 10, 12, 6, 0, tzinfo=UTC))
    model.assignments.filter(lesson=lesson).update(steps=[["sums/adding", []]])
    opened(teacher, model)
    made = Assignment.objects.get(cohort__slug="spring", lesson=lesson)
    assert [step for step, _ in made.steps] == ["sums/adding", "sums/subtracting"]


def test_only_classes_that_an_account_manages_are_models(model):
    other = create_class("other")
    ida = instructor_of(other, "ida")
    create_member(model, "ida", role="assistant")
    browser = browser_of(ida)
    assert browser.get(reverse("teaching:next-term"), facts(model)).status_code == 404
    page = browser.get("/teach/classes/").content.decode()
    assert '<option value="other">' in page
    assert '<option value="autumn">' not in page


def test_class_of_another_course_is_refused(teacher, model):
    answer = teacher.post("/teach/classes/", facts(model, course="missing"))
    assert answer.status_code == 400
    assert not Cohort.objects.filter(slug="spring").exists()


@pytest.mark.parametrize("zone", ["Europe/Vienna", "America/Los_Angeles", "Asia/Tokyo"])
def test_assignment_that_never_closes_stays_so(teacher, model, zone):
    Cohort.objects.filter(pk=model.pk).update(timezone="UTC")
    last = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
    model.assignments.filter(quiz__isnull=False).update(closes_at=last)
    page = teacher.get(reverse("teaching:next-term"), facts(model, zone=zone))
    assert page.status_code == 200
    teacher.post(
        reverse("teaching:next-term"),
        {**facts(model, zone=zone), **table(page.content.decode()), "do": "open"},
    )
    made = Assignment.objects.get(cohort__slug="spring", quiz__isnull=False)
    assert made.closes_at.year >= 9998


def test_new_first_day_moves_the_dates_again(teacher, model):
    page = teacher.post(
        reverse("teaching:next-term"), {**facts(model, begins_on="2027-03-08"), "do": "dates"}
    ).content.decode()
    assert "moved by 22 weeks" in page
    assert 'value="2027-03-25T23:59"' in page
