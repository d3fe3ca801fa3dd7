"""What the requests of a member who takes an assigned quiz ask the database.

At a deadline a whole class sends them within a minute; on PostgreSQL each query is a round trip.
Session, account, limits, course and the header are in the numbers.
"""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from quizzes.assessment.models import Option
from quizzes.learners.models import Progress, ReviewCard
from tests.courses import at
from tests.factories import (
    assign,
    browser_of,
    create_class,
    create_exercise,
    create_lesson,
    create_member,
    create_quiz,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

MOST = {"page": 20, "start": 21, "questions": 16, "save": 14, "submit": 23, "review": 19}
ADDRESS = "203.0.113.7"  # of a network: posts are counted
OPTION = re.compile(r'<input type="radio"\s+name="(response-\d+)"\s+value="(\d+)"')


@pytest.fixture
def take(django_assert_max_num_queries) -> Callable[[int], dict[str, int]]:
    """Take a quiz of so many questions, and return the queries of each request."""
    cohort = create_class()
    assign(cohort, create_exercise())
    assign(cohort, create_lesson())
    browser = browser_of(create_member(cohort).user)

    def take(questions: int) -> dict[str, int]:
        quiz = create_quiz(f"of-{questions}", questions)
        work = assign(cohort, quiz, minutes=30)
        where = at(f"/quiz/{quiz.slug}/")
        browser.get(where, REMOTE_ADDR=ADDRESS)  # what is cached of the course
        counts: dict[str, int] = {}

        def ask(kind: str, path: str, form: dict[str, str] | None = None, **headers: str):
            with django_assert_max_num_queries(MOST[kind]) as queries:
                answer = send(browser, path, form, **headers)
            assert answer.status_code in {200, 302}, (kind, answer.status_code)
            counts[kind] = len(queries)
            return answer

        ask("page", where)
        place = ask("start", where, {"sitting": str(work.sitting)}).url
        options = OPTION.findall(ask("questions", place).content.decode())
        keys = set(Option.objects.filter(is_key=True).values_list("pk", flat=True))
        chosen = {name: value for name, value in options if int(value) in keys}
        for name in list(chosen)[::2]:  # every second answer is wrong
            chosen[name] = next(v for n, v in options if n == name and int(v) not in keys)
        assert len(chosen) == questions
        for name, value in chosen.items():
            ask("save", place, {name: value}, Accept="application/json")
        review = ask("submit", place, {"do": "submit"}).url
        ask("review", review)
        return counts

    return take


def send(browser: Client, path: str, form: dict[str, str] | None, **headers: str):
    if form is None:
        return browser.get(path, REMOTE_ADDR=ADDRESS, headers=headers)
    return browser.post(path, form, REMOTE_ADDR=ADDRESS, headers=headers)


def test_queries_do_not_grow_with_questions(take):
    take(2)  # a learner's first action is noted
    assert take(8) == take(4)
    noted = Progress.objects.filter(kind="question")
    assert noted.filter(state="done").count() == 1 + 4 + 2
    assert noted.exclude(state="done").count() == ReviewCard.objects.count() == 1 + 4 + 2
