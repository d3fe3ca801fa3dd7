"""The start page: a live figure that obeys the address, and ways in that know the learner."""

import re
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.assessment.models import Quiz
from quizzes.exercises.models import Exercise
from quizzes.learners.models import Learner
from quizzes.learners.services import record_progress
from quizzes.lessons.models import Lesson
from tests.courses import at, some_course

pytestmark = pytest.mark.both_databases(postgresql="soak")


def words(response) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(text.split())


def cards(response) -> list[str]:
    """Return the words of each way in."""
    found = re.findall(
        r'<li class="card card--link way">(.*?)</li>', response.content.decode(), re.S
    )
    return [" ".join(re.sub(r"<[^>]+>", " ", card).split()) for card in found]


def links(response) -> list[str]:
    return re.findall(r'href="(/[^"#?]*)', response.content.decode())


@pytest.mark.slow
def test_a_visitor_sees_three_ways_in_and_nothing_of_progress(client, course):
    response = client.get("/")
    found = cards(response)
    assert [card.split()[0] for card in found] == ["Lesson", "Quiz", "Exercise"]
    assert found[0].endswith("Start the lesson")
    assert found[1].endswith("Take the quiz")
    assert found[2].endswith("Write the code")
    assert not Learner.objects.exists()  # looking is not learning
    assert "learner" not in client.cookies


@pytest.mark.soak
@pytest.mark.slow
def test_every_link_leads_somewhere(client, course):
    found = set(links(client.get("/")))
    assert len(found) > 8
    for address in found:
        if not address.startswith("/static/"):
            assert client.get(address, follow=True).status_code == 200, address


def test_the_figure_is_drawn_from_the_address(client, course):
    response = client.get("/?codes.d_model=64&codes.base=100")
    assert response.status_code == 200
    assert 'value="64"' in response.content.decode()
    assert "64 dimensions, base 100" in words(response)


def test_a_bad_parameter_is_a_400_beside_its_slider(client, course):
    response = client.get("/?codes.d_model=9999")
    assert response.status_code == 400
    assert "d_model=9999" in words(response)
    assert re.search(r'name="codes\.d_model"[^>]*aria-invalid="true"', response.content.decode())


def test_a_home_course_of_another_subject_has_its_own_words(client, course):
    other = some_course("hash-tables")
    other.make_home()
    for address in ("/", other.get_absolute_url()):
        page = client.get(address)
        assert page.status_code == 200
        assert f"{other.title} {other.summary}" in words(page)
        assert "word order" not in words(page)
        assert 'name="codes.' not in page.content.decode()
    assert client.get("/?codes.d_model=9999").status_code == 200, "it has no slider of this name"


def test_without_a_course_it_says_how_to_load_one(client, db):
    response = client.get("/")
    assert response.status_code == 200
    assert "There are no courses here yet" in words(response)
    assert "load_content" in words(response)


def test_reading_moves_the_lesson_card_on(client, course):
    lesson = Lesson.objects.get(slug="sinusoidal-values")
    first, second = lesson.steps.all()[:2]
    client.post(first.get_absolute_url())
    card = cards(client.get("/"))[0]
    assert f"1 of {len(lesson.path_steps)} read" in card
    assert card.endswith(f"Continue with “{second.title}”")


def read(client, lesson: Lesson) -> None:
    for step in lesson.steps.all():
        client.post(step.get_absolute_url())


@pytest.mark.slow
def test_a_lesson_read_to_its_end_makes_way_for_the_next(client, course):
    lessons = list(Lesson.objects.with_steps().filter(form=Lesson.Form.STEPS))
    for lesson, following in pairwise(lessons):
        read(client, lesson)
        assert following.title in cards(client.get("/"))[0]
    read(client, lessons[-1])
    card = cards(client.get("/"))[0]
    assert lessons[0].title in card
    assert card.endswith("All read Read it again")


def test_a_begun_quiz_leads_back_into_its_attempt(client, course):
    quiz = at("/quiz/test-your-understanding/")
    attempt = client.post(quiz).url
    response = client.get("/")
    assert "0 of 8 answered" in cards(response)[1]
    assert attempt in links(response)


def test_a_newcomer_is_sent_to_the_first_of_each_kind(client, course):
    lesson, quiz, exercise = cards(client.get("/"))
    assert Lesson.objects.order_by("number").first().title in lesson
    assert Quiz.objects.order_by("place").first().title in quiz
    assert Exercise.objects.order_by("place").first().current.title in exercise


def test_a_taken_quiz_shows_the_best_score(client, course):
    quiz = at("/quiz/test-your-understanding/")
    attempt = client.post(quiz).url
    client.post(attempt, {"do": "submit-blank"})
    assert cards(client.get("/"))[1].endswith("Best so far: 0 of 8 Take it again")


@pytest.mark.parametrize(
    ("state", "shown"),
    [("shaky", "Tried, not solved yet Try again"), ("done", "Solved Look at it")],
)
def test_the_exercise_card_says_how_it_went(client, course, state, shown):
    client.post(at("/quiz/test-your-understanding/"))  # makes the learner
    for exercise in Exercise.objects.all():
        record_progress(
            exercise.course_id,
            learner=Learner.objects.get(),
            kind="exercise",
            slug=exercise.slug,
            state=state,
        )
    assert shown in cards(client.get("/"))[2]


@pytest.mark.slow
def test_queries_do_not_grow_with_what_was_done(client, course):
    def count() -> int:
        client.get("/")  # what is kept of the course is made anew at the first visit
        with CaptureQueriesContext(connection) as queries:
            client.get("/")
        return len(queries)

    quiz = at("/quiz/test-your-understanding/")
    client.post(client.post(quiz).url, {"do": "submit-blank"})
    once = count()
    for _ in range(3):
        client.post(client.post(quiz).url, {"do": "submit-blank"})
    assert count() == once <= 18


def test_post_is_refused(client, db):
    assert client.post("/").status_code == 405
