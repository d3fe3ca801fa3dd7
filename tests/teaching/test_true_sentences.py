"""What pages for instructors say that an account may do, tried."""

import pytest

from quizzes.classes.models import Cohort
from quizzes.courses.models import Course
from quizzes.courses.roles import set_instructor
from quizzes.exercises.models import Exercise
from quizzes.learners.models import User
from tests.classes.pages import teach_class
from tests.courses import some_course
from tests.exercises.making import unverified_exercise
from tests.factories import (
    assign,
    browser_of,
    create_browser,
    create_class,
    create_member,
    create_superuser,
)
from tests.teaching.forms import teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

CLASS = {"title": "Autumn", "begins_on": "2026-09-01", "ends_on": "2026-12-20", "zone": "UTC"}
COPY = {"slug": "copied", "title": "Copied"}


def test_accounts_page_says_what_instructors_may(course):
    page = " ".join(browser_of(create_superuser()).get("/teach/people/").content.decode().split())
    assert (
        "can open classes for listed courses and for any course in which they have a role" in page
    )
    assert "begin courses" not in page


def test_instructor_opens_a_class_of_a_listed_course(course):
    ida = create_browser("ida", role="")
    assert ida.post("/teach/classes/", {"course": course.slug, **CLASS}).status_code == 302
    Course.objects.update(is_listed=False)
    second = CLASS | {"course": course.slug, "title": "Spring"}
    assert ida.post("/teach/classes/", second).status_code == 400
    assert Cohort.objects.count() == 1


def test_instructor_copies_a_course_of_a_role_alone(course):
    page = teach("copy/")
    assert create_browser("ida", role="").get(page).status_code == 404
    assert create_browser("vic", role="viewer").get(page).status_code == 200


def test_role_alone_opens_no_class_and_copies_no_course(course):
    eve = User.objects.create_user("eve")
    fields = {"account": "eve", "role": "viewer"}
    page = (
        browser_of(create_superuser())
        .post(teach("people/add/"), fields, follow=True)
        .content.decode()
    )
    assert "To open classes or copy courses, it must first be made" in page
    browser = browser_of(eve)
    assert browser.get(teach()).status_code == 200
    for address, sent in (
        ("/teach/classes/", CLASS | {"course": course.slug}),
        (teach("copy/"), COPY),
    ):
        assert browser.post(address, sent).status_code == 403
    assert (Cohort.objects.count(), Course.objects.count()) == (0, 1)


def test_former_instructor_keeps_places_in_classes(course):
    cohort = create_class(course=some_course())
    member = create_member(cohort, "gil", role="instructor")
    set_instructor(user=member.user, teaches=True)
    set_instructor(user=member.user, teaches=False)
    gil = browser_of(User.objects.get(pk=member.user.pk))
    assert gil.get(teach_class("people/", cohort)).status_code == 200


def test_settings_name_the_days_that_the_operator_set(course, settings):
    settings.RETENTION_DAYS = 30
    cohort = create_class(course=course)
    ida = browser_of(create_member(cohort, "ida", role="instructor").user)
    page = ida.get(teach_class("settings/", cohort)).content.decode()
    assert "are deleted 30 days after the class is archived" in page


def test_withdrawn_exercise_names_everybody_who_finds_it(course):
    exercise = unverified_exercise()
    Exercise.objects.update(withdrawn_at="2026-01-01T00:00Z")
    learner, other = (
        create_member(create_class(slug, course=course), slug) for slug in ("autumn", "winter")
    )
    assign(learner.cohort, exercise)
    page = create_browser("ada", role="editor").get(teach(f"exercises/{exercise.slug}/"))
    assert "or whose class it is assigned to, can still find it" in page.content.decode()
    assert browser_of(learner.user).get(exercise.get_absolute_url()).status_code == 200
    assert browser_of(other.user).get(exercise.get_absolute_url()).status_code == 410
