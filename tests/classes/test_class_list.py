"""The list of an account's classes: a card each, and the code of another class."""

import pytest

from tests.factories import browser_of, create_account, create_class, create_member

pytestmark = pytest.mark.django_db


def test_learner_without_class_can_type_code():
    page = browser_of(create_account("sam")).get("/class/").content.decode()
    assert "You are not in any class." in page
    assert 'action="/join/"' in page


def test_each_class_can_be_opened():
    teacher = create_member(create_class(), "ida", role="instructor").user
    create_member(create_class("spring"), "ida")
    page = browser_of(teacher).get("/class/").content.decode()
    assert page.count("Open the class") == 2
    assert 'href="/teach/classes/autumn/"' in page
    assert 'href="/class/spring/"' in page
    assert 'action="/join/"' in page
