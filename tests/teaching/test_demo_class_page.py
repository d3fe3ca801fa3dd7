"""The first page of the demo instructor: a class of made-up people, or that it is on its way."""

import pytest
from django.test import Client

from quizzes.classes.demo import creation
from quizzes.classes.demo.creation import begin_demo_class, fill_waiting_class
from quizzes.courses.roles import set_instructor
from quizzes.learners.models import User
from tests.courses import some_course
from tests.exercises.making import ready_exercise
from tests.factories import browser_of, create_account, create_quiz

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

COMING, NONE = "A demo class is being prepared.", "You are not teaching any classes yet."


def instructor(name: str, *, is_demo: bool) -> Client:
    user = create_account(name, role="")
    User.objects.filter(pk=user.pk).update(is_demo=is_demo)
    set_instructor(user=user, teaches=True)
    return browser_of(user)


def page_of(browser: Client) -> str:
    return browser.get("/teach/").content.decode()


def test_page_says_that_the_class_is_coming():
    browser = instructor("instructor", is_demo=True)
    assert NONE in page_of(browser)
    begin_demo_class(course=some_course())
    assert COMING in page_of(browser)
    assert NONE not in page_of(browser)


def test_page_shows_the_class_with_its_mistakes(monkeypatch):
    monkeypatch.setattr(creation, "PEOPLE", 40)
    create_quiz()
    ready_exercise()
    browser = instructor("instructor", is_demo=True)
    begin_demo_class(course=some_course())
    fill_waiting_class()
    text = page_of(browser)
    assert COMING not in text
    assert '#mistake-1"' in text


def test_other_instructors_wait_for_no_class():
    begin_demo_class(course=some_course())
    assert NONE in page_of(instructor("ida", is_demo=False))
