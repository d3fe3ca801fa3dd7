"""`/me/progress/`: everything there is to do, what was done of it, and nobody else's."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from quizzes.exercises.models import Exercise
from quizzes.learners.models import Learner
from quizzes.learners.services import record_progress
from quizzes.lessons.models import Lesson
from tests.courses import at, some_course
from tests.factories import create_submission

pytestmark = pytest.mark.both_databases(postgresql="soak")

PAGE = at("/progress/")
QUIZ = at("/quiz/test-your-understanding/")


def words(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_newcomer_sees_what_will_be_here(client, course):
    """And one button, to the beginning of the course; looking makes no row."""
    response = client.get(PAGE)
    assert response.status_code == 200
    main = response.content.decode().partition("<main")[2]
    assert "Here you will see" in main
    assert len(re.findall(r'class="button', main)) == 1
    assert "The course begins here." in main
    assert "<details" not in main
    assert not Learner.objects.exists()


def test_course_without_exercises_counts_none(client, course):
    Exercise.objects.all().delete()
    client.post(QUIZ)
    text = words(client.get(PAGE))
    assert "0 of 17 quizzes all right" in text
    assert "exercises solved" not in text


def test_what_was_done_is_shown_with_where_to_go_on(client, course):
    lesson = Lesson.objects.get(slug="sinusoidal-values")
    first, second = lesson.steps.all()[:2]
    client.post(first.get_absolute_url())
    done = client.post(QUIZ).url
    client.post(done, {"do": "submit-blank"})
    begun = client.post(QUIZ).url
    response = client.get(PAGE)
    text, html = words(response), response.content.decode()
    in_all = sum(len(lesson.path_steps) for lesson in Lesson.objects.all())
    assert f"1 of {in_all} steps read" in text
    assert f"1 of {len(lesson.path_steps)} steps read" in text
    assert f"Next: {second.title}" in text
    assert "Best: 0 of 8" in text
    assert f'href="{begun}"' in html
    assert f'href="{done}review/"' in html
    assert "saved for this browser only" in text


def test_map_shows_concepts_by_mastery(client, course):
    client.post(at("/learn/why-order/shuffled-sentence/"))
    response = client.get(PAGE)
    assert "small-map" in response.content.decode()
    assert "dot--seen" in response.content.decode()
    assert re.search(r"0 of \d+ mastered", words(response))
    assert re.search(r"0 mastered 0 practised [1-9]\d* seen", words(response))
    assert f'href="{at("/map/outline/")}">All concepts as a list' in response.content.decode()
    assert "seen" in words(client.get(at("/map/outline/")))


def test_submissions_are_counted_and_the_latest_is_linked(client, course):
    client.post(QUIZ)
    learner, exercise = Learner.objects.get(), Exercise.objects.get(slug="sinusoidal-table")
    rows = [
        create_submission(exercise, learner, kind=kind) for kind in ("submit", "submit", "check")
    ]
    record_progress(
        some_course().pk, learner=learner, kind="exercise", slug=exercise.slug, state="done"
    )
    response = client.get(PAGE)
    assert "Solved 2 submissions, see the latest" in words(response)
    assert f'href="{rows[1].get_absolute_url()}"' in response.content.decode()


def test_another_learner_sees_nothing_of_it(client, course):
    client.post(client.post(QUIZ).url, {"do": "submit-blank"})
    assert "Best: 0 of 8" in words(client.get(PAGE))
    assert "Here you will see" in words(Client().get(PAGE))


def test_it_is_not_kept_by_caches(client, course):
    assert "no-store" in client.get(PAGE).headers["Cache-Control"]


@pytest.mark.slow
def test_queries_do_not_grow_with_attempts(client, course):
    def count() -> int:
        client.get(PAGE)  # what is kept of the course is made anew at the first visit
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE)
        return len(queries)

    client.post(client.post(QUIZ).url, {"do": "submit-blank"})
    once = count()
    for _ in range(4):
        client.post(client.post(QUIZ).url, {"do": "submit-blank"})
    assert count() == once <= 29
