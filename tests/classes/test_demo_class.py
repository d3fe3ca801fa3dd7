"""The made-up class: the same seed gives the same class, and its marks can be read."""

import pytest
from django.core.management import CommandError, call_command

from quizzes.assessment.models import Response
from quizzes.classes.demo_class import DemoError, make_demo_class
from quizzes.classes.marks.reader import marks
from quizzes.classes.models import Cohort, Membership
from quizzes.exercises.models import Submission
from tests.classes.people import new_instructor
from tests.classes.working import a_quiz
from tests.courses import some_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def facts(cohort):
    people = list(cohort.memberships.order_by("pk").values_list("name", "section", "external_id"))
    right = Response.objects.filter(attempt__sitting__startswith="assignment:")
    return people[1:], list(right.order_by("pk").values_list("order", "is_right"))


def test_the_same_seed_gives_the_same_class():
    ida = new_instructor()
    a_quiz()
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


def test_the_command_says_what_is_wrong():
    some_course()
    for options in ({"people": 0}, {"instructor": "nobody"}, {"course": "gone"}):
        with pytest.raises(CommandError):
            call_command("demo_class", **options)
    new_instructor()
    call_command("demo_class", instructor="ida", people=3)
    assert Membership.objects.filter(cohort=Cohort.objects.get(), role="student").count() == 3
