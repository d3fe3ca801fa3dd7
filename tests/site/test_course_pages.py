"""The list of courses, the start page of a course, and what was withdrawn from one."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.assessment.models import Quiz
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Lesson
from tests.accessible import faint_text, findings, small_targets
from tests.browser import sideways_scroll
from tests.courses import at, some_course
from tests.study.twin_courses import ONE, TWO, load_twins

LINK = re.compile(r'href="([^"]*)"')


def main(answer: object) -> str:
    return answer.content.decode().partition("<main")[2].partition("</main>")[0]


def words(answer: object) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", main(answer)).split())


@pytest.fixture
def twins(db: None) -> tuple[Course, Course]:
    one, two = load_twins()
    Course.objects.filter(pk=two.pk).update(title="The second course", summary="About the second.")
    return one, Course.objects.get(pk=two.pk)


@pytest.mark.slow
def test_the_list_has_each_course_with_what_it_has(client: Client, twins) -> None:
    one, two = twins
    Lesson.objects.filter(course=two, slug="deep").update(withdrawn_at=timezone.now())
    Quiz.objects.filter(course=two).update(is_published=False)
    Exercise.objects.filter(course=two, slug="softmax-rows").update(current=None)
    page = client.get("/courses/")
    shown = words(page)
    assert shown.index(one.title) < shown.index("The second course")
    first, second = re.findall(r"(\d+) lessons? · (\d+) quiz(?:zes)? · (\d+) exercises?", shown)
    assert first == ("3", "1", "2")
    assert second == ("2", "0", "1")
    assert {f"/c/{ONE}/", f"/c/{TWO}/"} <= set(LINK.findall(main(page)))


def test_the_list_costs_the_same_for_many_courses(client: Client, db: None) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get("/courses/").status_code == 200
        return len(captured)

    some_course()
    few = queries()
    for number in range(5):
        some_course(f"course-{number}")
    assert queries() == few


def test_a_site_without_courses_says_so(client: Client, db: None) -> None:
    assert "There are no courses here yet" in words(client.get("/courses/"))


@pytest.mark.slow
def test_an_unlisted_course_is_found_by_its_address_alone(client: Client, twins) -> None:
    Course.objects.filter(slug=TWO).update(is_listed=False)
    for path in ("/", "/courses/", f"/c/{ONE}/", at("/learn/", ONE), at("/progress/", ONE)):
        assert f"/c/{TWO}/" not in client.get(path).content.decode(), path
    for path in ("/", "/learn/", "/quiz/", "/exercises/", "/map/", "/progress/", "/deep-dive/1/"):
        page = client.get(at(path, TWO))
        assert page.status_code == 200
        assert "The second course" in page.content.decode() or f"/c/{TWO}/" in main(page)


@pytest.mark.slow
def test_the_start_page_of_another_course_is_about_that_course(client: Client, twins) -> None:
    page = client.get(f"/c/{TWO}/")
    html = page.content.decode()
    assert "<title>The second course · Ordinal</title>" in html
    assert "<h1>The second course</h1>" in main(page)
    assert "About the second." in main(page)
    assert 'class="live"' not in html  # the figure is of the site
    inside = [link for link in LINK.findall(main(page)) if link.startswith("/c/")]
    assert {link for link in inside if not link.startswith(f"/c/{TWO}/")} == {f"/c/{ONE}/"}
    assert f"/c/{TWO}/deep-dive/" in inside
    frame = html.replace(main(page), "")
    assert {at(f"/{name}/", TWO) for name in ("learn", "quiz", "exercises", "map", "progress")} <= (
        set(LINK.findall(frame))
    )


@pytest.mark.slow
def test_the_start_page_of_the_home_course_is_that_of_the_site(client: Client, twins) -> None:
    site, home = client.get("/"), client.get(f"/c/{ONE}/")
    nonce = re.compile(r'nonce="[^"]*"')
    assert nonce.sub("", main(site)) == nonce.sub("", main(home))
    assert "Other courses: The second course . All courses" in words(site)
    assert "/courses/" in LINK.findall(main(site))


def test_the_frame_names_where_a_reader_is(client: Client, db: None) -> None:
    some_course()
    for name in ("learn", "quiz", "exercises", "map", "progress"):
        html = client.get(at(f"/{name}/")).content.decode()
        (current,) = re.findall(r'href="([^"]*)" aria-current="(?:true|page)"', html)
        assert current == at(f"/{name}/")


def test_a_course_that_is_not_there_is_not_found(client: Client, db: None) -> None:
    some_course()
    for path in ("/", "/learn/", "/learn/rope/x/", "/quiz/q/", "/exercises/e/", "/map/"):
        assert client.get(at(path, "nowhere")).status_code == 404
    assert client.post(at("/questions/q/answer/", "nowhere")).status_code == 404


def withdraw_all(course: Course) -> list[str]:
    """Withdraw a lesson, a quiz and an exercise; return their addresses."""
    rows = [
        Lesson.objects.get(course=course, slug="many-heads"),
        Quiz.objects.get(course=course),
        Exercise.objects.get(course=course, slug="softmax-rows"),
    ]
    for row in rows:
        type(row).objects.filter(pk=row.pk).update(withdrawn_at=timezone.now())
    return [row.get_absolute_url() for row in rows]


@pytest.mark.slow
def test_what_was_withdrawn_answers_410_with_the_way_to_its_course(client: Client, twins) -> None:
    _, two = twins
    nouns = ("lesson", "quiz", "exercise")
    for noun, address in zip(nouns, withdraw_all(two), strict=True):
        page = client.get(address)
        assert page.status_code == 410
        assert f"This {noun} has been withdrawn" in words(page)
        assert "is no longer part of the course “The second course”" in words(page)
        assert f"/c/{TWO}/" in LINK.findall(main(page))
        assert client.get(address.replace(TWO, ONE), follow=True).status_code == 200


@pytest.mark.slow
def test_a_withdrawn_quiz_offers_no_start_to_a_learner_who_has_taken_it(client, twins) -> None:
    _, two = twins
    quiz = Quiz.objects.get(course=two)
    begun = client.post(quiz.get_absolute_url()).url
    client.post(begun, {"do": "submit-blank"})
    withdraw_all(two)
    for address in (quiz.get_absolute_url(), f"{begun}review/"):
        page = client.get(address)
        assert page.status_code == 200
        assert "<form" not in main(page)
    assert "This quiz has been withdrawn" in words(client.get(quiz.get_absolute_url()))
    assert client.post(quiz.get_absolute_url()).status_code == 410


LOOKS = [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)]


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.django_db(transaction=True)
def test_the_pages_can_be_read_and_used(new_page, live_server, page_errors, scheme, width) -> None:
    _, two = load_twins()
    gone = withdraw_all(two)[0]
    page_errors.allow("410")
    for path in ("/courses/", f"/c/{TWO}/", gone):
        page = new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
        page.goto(f"{live_server.url}{path}")
        assert findings(page) == []
        assert faint_text(page) == []
        assert small_targets(page) == []
        assert sideways_scroll(page) == 0
