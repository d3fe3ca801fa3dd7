"""What the page of assigned work says of its dates, to those whom it was assigned."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.classes.models import AssignmentException
from tests.factories import (
    DAY,
    assign,
    browser_of,
    create_class,
    create_lesson,
    create_member,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

HOUR = timedelta(hours=1)


def pages_of(lesson, exercise):
    return [lesson.steps.first().get_absolute_url(), exercise.get_absolute_url()]


def notices(browser, address):
    """The sentences about dates, each with the class that it names."""
    text = browser.get(address).content.decode()
    return re.findall(r'<p class="notice">For <a href="/class/.*?</p>', text)


@pytest.fixture
def lesson():
    return create_lesson()


def test_a_student_reads_on_the_page_itself_when_it_is_due(lesson, exercise):
    cohort = create_class()
    student = browser_of(create_member(cohort).user)
    visitor = browser_of(create_member(create_class("other"), "bob").user)
    due = timezone.now() + 3 * HOUR + timedelta(minutes=1)
    assign(cohort, lesson, due_at=due)
    assign(cohort, exercise, due_at=due, late_percent_per_day=10)
    local = due.astimezone(cohort.zone)
    ends = ("; late work earns nothing.</p>", "; late work loses 10 % a day.</p>")
    for address, end in zip(pages_of(lesson, exercise), ends, strict=True):
        (said,) = notices(student, address)
        assert "Class autumn" in said
        assert f": Due {local:%A} {local.day} {local:%B}" in said
        assert said.endswith(f"{local:%H:%M} in Vienna, in 3 hours{end}")
        assert notices(visitor, address) == []


def test_each_class_has_its_date_and_the_urgent_one_stands_first(lesson, exercise):
    now = timezone.now()
    for slug, due in (("later", 5 * DAY), ("sooner", DAY), ("over", -DAY)):
        cohort = create_class(slug)
        ada = create_member(cohort)
        for thing in (lesson, exercise):
            assign(cohort, thing, due_at=now + due)
    for address in pages_of(lesson, exercise):
        said = notices(browser_of(ada.user), address)
        assert [line.partition("</a>")[0].rpartition(">")[2] for line in said] == [
            "Class over",
            "Class sooner",
            "Class later",
        ]
        assert ": Was due" in said[0]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"opens_at": DAY, "due_at": 2 * DAY}, ": Opens "),
        ({"due_at": -2 * DAY, "closes_at": DAY}, "; closes "),
        ({"due_at": -2 * DAY, "closes_at": -DAY}, "; closed "),
        ({}, ": Without a date."),
    ],
)
def test_what_is_over_and_what_is_to_come_are_said_as_such(exercise, facts, words):
    now, cohort = timezone.now(), create_class()
    assign(cohort, exercise, **{name: now + apart for name, apart in facts.items()})
    (said,) = notices(browser_of(create_member(cohort).user), exercise.get_absolute_url())
    assert words in said


@pytest.mark.both_databases
def test_nothing_is_said_of_what_is_hidden_excused_or_not_for_students(exercise):
    cohort = create_class()
    ada, staff = create_member(cohort), create_member(cohort, "tom", role="assistant")
    made = assign(cohort, exercise, due_at=timezone.now() + DAY)
    address = exercise.get_absolute_url()
    assert notices(browser_of(staff.user), address) == []
    AssignmentException.objects.create(assignment=made, membership=ada, is_excused=True)
    assert notices(browser_of(ada.user), address) == []
    AssignmentException.objects.all().delete()
    made.is_visible = False
    made.save()
    assert notices(browser_of(ada.user), address) == []
