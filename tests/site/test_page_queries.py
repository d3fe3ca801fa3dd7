"""How many queries each kind of page takes, for everybody who asks for it: a table that only falls.

A learner's page is measured for a member of a class with work, on both databases, with cards that
are due and with none: the two ask for different things. Where a number falls, write the new one
here; where it rises, look for the query that the page does not need.
"""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from quizzes.courses.models import Course
from quizzes.learners.services import hidden_slugs, record_progress
from quizzes.lessons.models import Step
from tests.factories import browser_of
from tests.shipped_course import load_shipped_course
from tests.working_member import (
    Work,
    create_reader,
    create_working_member,
    let_cards_fall_due,
    load_verified_course,
    pages_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

VISITOR, ACCOUNT, MEMBER, DUE = "visitor", "account", "member", "member with due cards"
FRAME = 5  # queries of a page that shows nothing of a learner but the frame, its course among them
MOST = 6  # of any page of a learner, except those in MORE
# Of a visitor, an account with work, a member of a class with the same, and one with due cards.
QUERIES: dict[str, tuple[int, ...]] = {
    "start page": (1, 5, 6, 6),
    "start page, answered": (1, 5, 6, 6),
    "courses": (1, 4, 5, 5),
    "another course": (1, 4, 5, 5),
    "lessons": (1, 5, 6, 6),
    "lesson finished": (1, 5, 6, 6),
    "first step": (1, 5, 6, 6),
    "step with figures": (1, 5, 6, 6),
    "step with a listing, run": (1, 5, 6, 6),
    "step with formulas": (1, 5, 6, 6),
    "step with an exercise": (1, 5, 6, 6),  # one of them the drafts, for a card that opens
    "step with an exercise, checked": (1, 5, 6, 6),
    "deeper step": (1, 4, 5, 5),
    "notation": (1, 4, 5, 5),
    "card": (1, 5, 6, 6),
    "explorer": (0, 1, 1, 1),
    "explorer, compared": (0, 3, 4, 4),
    "models": (1, 4, 5, 5),
    "models, compared": (1, 4, 5, 5),
    "lab": (0, 5, 6, 6),
    "lab, numbers no longer shared": (1, 4, 5, 5),
    "values of a figure": (0, 1, 1, 1),
    "quizzes": (1, 4, 5, 5),
    "quiz": (1, 5, 6, 6),
    "attempt": (4, 7, 8, 8),
    "quiz review": (4, 9, 9, 9),
    "exercises": (1, 4, 5, 5),
    "exercise": (2, 7, 8, 8),
    "submission with a mistake": (4, 7, 9, 9),
    "submission solved": (4, 10, 12, 12),
    "counterexample": (1, 6, 7, 7),
    "right solution": (1, 6, 7, 7),
    "map": (1, 5, 6, 6),
    "map, a concept open": (1, 5, 6, 6),
    "map as an outline": (1, 5, 6, 6),
    "progress": (1, 9, 10, 10),  # one of them the pictures of mistakes in code
    "review": (0, 4, 5, 7),
    "practice": (3, 6, 7, 7),
    "my data": (0, 46, 47, 47),
    "search": (1, 4, 5, 5),
    "accessibility": (0, 3, 4, 4),
    "sign in": (0, 2, 2, 2),
    "sign up, refused": (0, 2, 2, 2),
    "password reset": (0, 3, 4, 4),
    "password reset, sent": (0, 3, 4, 4),
    "password reset, a dead link": (1, 4, 5, 5),
    "password reset, changed": (0, 3, 4, 4),
    "address confirmed, a dead link": (0, 3, 4, 4),
    "address to confirm": (0, 4, 5, 5),
    "account disabled": (0, 3, 4, 4),
    "e-mail addresses": (0, 6, 7, 7),
    "password": (0, 2, 2, 2),
    "sessions": (0, 5, 6, 6),
    "ways to sign in": (0, 5, 6, 6),
    "sign out": (0, 3, 4, 4),
    "confirm with the password": (0, 6, 7, 7),
    "second factor": (0, 5, 6, 6),
    "join by code": (0, 3, 4, 4),
    "invitation, a dead link": (2, 5, 6, 6),
    "class of a learner": (0, -1, 9, 9),
    "messages": (0, 5, 7, 7),
    "no such page": (0, 3, 4, 4),
    "no access": (0, 3, 4, 4),
    "class list": (0, 4, 3, 3),
    "lesson of a class": (1, 5, 6, 6),
    "second card": (1, 4, 5, 5),
    "drawing explorer": (0, 3, 4, 4),
}
FRAME_ALONE = {
    "courses",
    "another course",
    "explorer, compared",
    "drawing explorer",
    "search",
    "accessibility",
    "password reset",
    "no such page",
}
# Pages of attempts, code and marks, whose parts stand in tables of their own, and pages of
# accounts, where allauth asks.
MORE = {
    "attempt",
    "quiz review",
    "exercise",
    "submission with a mistake",
    "submission solved",
    "counterexample",
    "right solution",
    "practice",
    "review",
    "messages",
    "progress",
    "class of a learner",
    "my data",
    "e-mail addresses",
    "confirm with the password",
}
BY_DAY = ("accessibility", "start page", "lessons", "step with figures", "quiz", "exercise")


@pytest.fixture
def people() -> dict[str, tuple[Client, Work]]:
    load_verified_course()
    course = Course.objects.get(slug="positional-encodings")
    works = {
        ACCOUNT: create_reader("reader", course),
        MEMBER: create_working_member("member", course),
        DUE: create_working_member("late", course),
    }
    let_cards_fall_due(works[DUE].learner)
    clients = {name: (browser_of(work.user), work) for name, work in works.items()}
    return {VISITOR: (Client(), works[MEMBER]), **clients}


def queries(client: Client, address: str) -> int:
    client.get(address)  # what is cached of the course is computed at the first visit
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


def counts(people: dict[str, tuple[Client, Work]], name: str) -> tuple[int, ...]:
    """Return the queries of a page, by person; -1 where somebody has no such page."""
    numbers = []
    for client, work in people.values():
        address = pages_of(work).get(name)
        numbers.append(-1 if address is None else queries(client, address))
    return tuple(numbers)


@pytest.mark.both_databases(sqlite="soak")
def test_pages_take_no_query_more(people) -> None:
    """Six kinds: PostgreSQL has the numbers of SQLite, where the next test has all kinds."""
    assert {name: counts(people, name) for name in BY_DAY} == {
        name: QUERIES[name] for name in BY_DAY
    }


@pytest.mark.both_databases(postgresql="soak")
def test_every_kind_of_page_takes_no_query_more(people) -> None:
    work = people[MEMBER][1]
    assert {name: counts(people, name) for name in pages_of(work)} == QUERIES


@pytest.mark.both_databases
@pytest.mark.covering
@pytest.mark.parametrize("due", [False, True])
@pytest.mark.parametrize("read", [False, True])
def test_frame_takes_five_queries_where_most_is_asked(*, read: bool, due: bool) -> None:
    """Nothing is begun, so a quiz may come next; cards that are due are all hidden."""
    load_shipped_course()
    work = create_working_member("member", Course.objects.get(slug="positional-encodings"))
    work.learner.attempts.filter(submitted_at=None).delete()
    if read:
        steps = Step.objects.filter(lesson__course__slug="positional-encodings")
        for lesson, step in steps.values_list("lesson__slug", "slug"):
            record_progress(
                work.course.pk,
                learner=work.learner,
                kind="step",
                slug=f"{lesson}/{step}",
                state="done",
            )
    if due:
        let_cards_fall_due(work.learner)
        hidden = hidden_slugs(work.learner, work.course.pk, "question")
        work.learner.review_cards.exclude(slug__in=hidden).delete()
    assert queries(browser_of(work.user), "/accessibility/") <= FRAME


def test_frame_takes_five_queries_at_most() -> None:
    assert max(max(QUERIES[name]) for name in FRAME_ALONE) <= FRAME


def test_other_pages_take_six_queries_at_most() -> None:
    assert {name for name, numbers in QUERIES.items() if max(numbers) > MOST} == MORE
