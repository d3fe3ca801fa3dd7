"""A step costs the same number of queries, however many questions it asks."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from quizzes.lessons.models import Lesson, Step
from tests.content.lesson_text import lessons
from tests.courses import at
from tests.shipped_course import load_shipped_course

pytestmark = pytest.mark.django_db
ADDRESS = at("/learn/sinusoidal-values/order-blindness/")
MOST_QUERIES = 20  # six of them for the next thing to do, which every page names


def queries(client: Client, address: str) -> int:
    client.get(address)  # what is kept of the course is made anew at the first visit
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.fixture
def reader(client: Client) -> Client:
    """Somebody who has read a step already: the dearest kind of reader."""
    load_shipped_course()
    client.post(ADDRESS)
    return client


@pytest.mark.slow
def test_many_questions_cost_what_few_cost(reader: Client) -> None:
    slugs = [
        block.options["slug"]
        for lesson in lessons()
        for step in lesson.steps_read
        for block in step.page.blocks
        if block.kind == "question"
    ]
    exercise = "\n```exercise\nslug: sinusoidal-table\n```\n"
    counts = []
    few = slugs[::2]  # of every kind: choices, numbers, generated ones
    for some in (few, slugs):
        asked = "".join(f"\n```question\nslug: {slug}\n```\n" for slug in some)
        Step.objects.filter(slug="order-blindness").update(text=asked + exercise)
        counts.append(queries(reader, ADDRESS))
    assert counts[0] == counts[1] <= MOST_QUERIES


@pytest.mark.slow
@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.soak)])
def test_no_step_of_the_course_costs_more(reader: Client, every: int) -> None:
    for lesson in lessons():
        for number, step in [*enumerate(lesson.steps_read, start=1)][::every]:
            cards = lesson.form == Lesson.Form.CARDS
            address = (
                at(f"/deep-dive/{number}/") if cards else at(f"/learn/{lesson.slug}/{step.slug}/")
            )
            assert queries(reader, address) <= MOST_QUERIES
