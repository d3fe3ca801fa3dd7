"""One next thing: header, start page and progress page say the same, at a small cost."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.courses.models import Course
from quizzes.learners.models import Learner
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import mark_read
from quizzes.study.recommendations import next_recommendation
from tests.courses import at, some_course

pytestmark = pytest.mark.django_db


def header(page):
    return page.content.decode().partition("<main")[0]


@pytest.fixture
def reader(client, course):
    """A browser whose learner has read one step."""
    lesson = Lesson.objects.with_steps().get(slug="why-order")
    client.post(lesson.steps.all()[0].get_absolute_url())
    return Learner.objects.get()


def test_header_start_page_and_progress_say_the_same(client, reader):
    found = next_recommendation(some_course(), reader)
    assert found.title.endswith(", step 2")
    home = client.get("/")
    said = f"Continue: {found.title} ({found.minutes})"
    assert said in home.content.decode()
    assert found.why in home.content.decode()
    for page in (home, client.get(at("/learn/")), client.get("/review/")):
        assert f'class="site-header__next" href="{found.address}"' in header(page)
        assert found.minutes in header(page)
    assert found.address in client.get(at("/progress/")).content.decode().partition("<main")[2]


def test_the_header_does_not_lead_to_its_own_page(client, reader):
    found = next_recommendation(some_course(), reader)
    assert "site-header__next" not in header(client.get(found.address))


def test_a_newcomer_is_sent_nowhere_and_costs_no_query(client, course):
    client.get("/accessibility/")
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/accessibility/")
    assert "site-header__next" not in header(page)
    assert len(queries) == 0


def test_it_takes_seven_queries_at_most_however_much_was_done(course, reader):
    lessons = list(Lesson.objects.with_steps().filter(course=some_course()))

    def count():
        next_recommendation(Course.objects.get(pk=some_course().pk), reader)  # what is kept is made
        with CaptureQueriesContext(connection) as queries:
            next_recommendation(Course.objects.get(pk=some_course().pk), reader)
        return len(queries) - 1

    counts = [count()]
    for lesson in lessons:
        for step in lesson.steps.all():
            mark_read(learner=reader, lesson=lesson, step=step)
        counts.append(count())
    assert max(counts) <= 7


def test_a_finished_lesson_is_told_and_leads_on(client, course):
    lesson = Lesson.objects.with_steps().get(slug="why-order")
    for step in lesson.steps.all():
        answer = client.post(step.get_absolute_url())
    page = client.get(answer.url).content.decode()
    assert f"Finished: {lesson.title}" in page
    found = next_recommendation(some_course(), Learner.objects.get())
    assert f'<a class="button" href="{found.address}">Next · {found.title}' in page
    assert "Finished:" not in client.get(at("/learn/?finished=sinusoidal-values")).content.decode()
    assert "Finished:" not in client.get(at("/learn/?finished=none")).content.decode()


def test_signed_out_an_attempt_asks_to_sign_in(client, course, django_user_model):
    quiz = at("/quiz/why-order-quiz/")
    attempt = client.post(quiz).url
    client.cookies.clear()
    page = client.get(attempt)
    assert page.status_code == 404  # as one that does not exist: nobody learns the numbers
    assert "Sign in to continue this quiz" in page.content.decode()
    client.force_login(django_user_model.objects.create_user("other"))
    assert client.get(attempt).status_code == 404


def test_a_refused_form_says_so_in_its_title(client, db):
    page = client.post("/accounts/signup/", {"username": "", "password1": "x"}).content.decode()
    assert "<title>Error: Sign up" in page
    assert 'role="alert"' in page
    assert "site/first_error.js" in page
    assert "Error:" not in client.get("/accounts/signup/").content.decode()
