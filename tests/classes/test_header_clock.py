"""The numbers of the header say what holds at the moment, though nobody does anything.

Nothing is stored of them, so the clock alone changes them.
"""

import re
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.classes.messages import announce, mark_read
from quizzes.classes.models import AssignmentException
from quizzes.learners.models import ReviewCard, User
from tests.courses import some_course
from tests.factories import (
    DAY,
    assign,
    browser_of,
    create_account,
    create_attempt,
    create_class,
    create_member,
    create_quiz,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NUMBER = r"(\d+)<span class=\"visually-hidden\"> {}</span>"
HOUR = timedelta(hours=1)


@pytest.fixture
def member():
    return create_member(create_class(by=create_account("ida", role="")), "ada")


@pytest.fixture
def browser(member) -> Client:
    return browser_of(member.user)


def number(browser: Client, word: str, at: datetime) -> int:
    """Return the number of the header before a word on a page of that moment, 0 for none."""
    with patch("django.utils.timezone.now", lambda: at):
        page = browser.get("/accessibility/").content.decode()
    match = re.search(NUMBER.format(word), page)
    return int(match[1]) if match else 0


def create_card(member, slug: str, due_at: datetime) -> None:
    ReviewCard.objects.create(
        learner=member.user.learner,
        course=some_course(),
        kind="question",
        slug=slug,
        due_at=due_at,
    )


def test_card_counts_once_it_is_due(member, browser):
    now = timezone.now()
    create_card(member, "row-zero", now + HOUR)
    moments = (now, now + HOUR - timedelta(seconds=1), now + HOUR)
    assert [number(browser, "due", at) for at in moments] == [0, 0, 1]


def test_card_of_a_quiz_counts_once_it_closes(member, browser):
    now = timezone.now()
    closes = now + DAY
    quiz = assign(member.cohort, create_quiz(), closes_at=closes, shows_answers="after_close")
    create_attempt(quiz, member, 1, now - HOUR)
    create_card(member, "codes-1", now - HOUR)  # one that is hidden
    create_card(member, "apart", now - HOUR)
    moments = (now, closes, closes + timedelta(seconds=1))
    assert [number(browser, "due", at) for at in moments] == [1, 1, 2]
    AssignmentException.objects.create(assignment=quiz, membership=member, closes_at=closes + DAY)
    assert [number(browser, "due", at) for at in (closes + HOUR, closes + 2 * DAY)] == [1, 2]


@pytest.mark.parametrize("click", ["archived", "removed", "hidden"])
def test_hidden_card_stays_hidden_after_a_click(member, browser, click):
    now = timezone.now()
    quiz = assign(member.cohort, create_quiz(), shows_answers="never")
    create_attempt(quiz, member, 1, now - HOUR)
    create_card(member, "codes-1", now - HOUR)
    if click == "archived":
        type(member.cohort).objects.update(archived_at=now)
    elif click == "removed":
        type(member).objects.filter(pk=member.pk).update(state="removed")
    else:
        type(quiz).objects.update(is_visible=False)
    assert number(browser, "due", now) == 0


def test_question_of_a_pool_is_hidden_at_once(member, browser):
    """What a quiz asks is cached of the course: a change of its content must show."""
    now = timezone.now()
    quiz = create_quiz()
    assign(member.cohort, quiz, shows_answers="never")
    create_card(member, "later", now - HOUR)
    assert number(browser, "due", now) == 1
    added = create_quiz("more", 1).questions.get()
    type(added).objects.filter(pk=added.pk).update(slug="later")
    quiz.places.create(question=added, order=9)
    assert number(browser, "due", now) == 0


def test_message_counts_until_it_is_read(member, browser):
    now, ida = timezone.now(), User.objects.get(username="ida")
    assert number(browser, "unread", now) == 0
    announce(cohort=member.cohort, by=ida, title="Now", text="")
    assert number(browser, "unread", now + HOUR) == 1
    mark_read(user=member.user, until=timezone.now())
    assert number(browser, "unread", now + HOUR) == 0
    with patch("django.utils.timezone.now", lambda: now + DAY):
        announce(cohort=member.cohort, by=ida, title="Next day", text="")
    assert number(browser, "unread", now + 2 * DAY) == 1


def test_next_leads_to_a_quiz_while_its_time_runs(member, browser):
    now = timezone.now()
    quiz = assign(member.cohort, create_quiz(), minutes=30)
    attempt = create_attempt(
        quiz, member, 0, now, deadline=now + timedelta(minutes=30), written=False
    )

    def leads_there(at: datetime) -> bool:
        with patch("django.utils.timezone.now", lambda: at):
            return attempt.get_absolute_url() in browser.get("/accessibility/").content.decode()

    assert [leads_there(at) for at in (now, now + HOUR)] == [True, False]
