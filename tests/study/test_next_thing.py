"""One next thing: a table of situations, the same answer on every page, and a way to the end."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from quizzes.assessment.models import Question, Quiz
from quizzes.concepts.files import map_of
from quizzes.courses.models import Course
from quizzes.learners.models import Learner
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import mark_read
from quizzes.study.next_thing import Recommendation
from quizzes.worker.question_pool import store_instance
from tests.assessment.drawn import made, made_number
from tests.courses import at, some_course
from tests.factories import create_class, create_learner, create_member
from tests.study.learner_story import (
    Act,
    Story,
    assign_to_class,
    create_small_course,
    do,
    join,
    read,
    wait,
)
from tests.study.next_request import next_for
from tests.study.next_situations import ORDER, SITUATIONS, WAVES
from tests.working_member import load_verified_course

pytestmark = pytest.mark.django_db

# The filled button of the start page, of the map, of an ending and of the progress page.
NAMED = re.compile(
    r"""<a class="button(?! button--quiet)[^"]*" href="([^"]*)">(?:Next ·|Read ·|Continue|Start)"""
)
# The button of the open lesson in the list, filled or not.
LISTED = re.compile(r"""<a class="button([^"]*)"\s+href="([^"]*)">(?:Next ·|Continue|Start|Read)""")
BY_NAME = {name: (acts, kind, title, why) for name, acts, kind, title, why in SITUATIONS}


def load_ready_course() -> None:
    """Load the shipped course with exercises that take code and questions that have numbers."""
    load_verified_course()
    for question in Question.objects.exclude(current__generator={}).select_related("current"):
        make = made_number if question.current.kind == "numeric" else made
        store_instance(question.current, make(1))


@pytest.fixture
def story(db) -> Story:
    create_small_course()
    return Story()


def next_of(story: Story) -> Recommendation | None:
    with story.clock():
        return next_for(some_course(), story.learner)


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.parametrize("situation", BY_NAME)
def test_a_situation_has_its_next_thing(story: Story, situation: str) -> None:
    acts, kind, title, why = BY_NAME[situation]
    story.tell(acts)
    following = next_of(story)
    if following is None:
        assert kind == ""
    else:
        assert (following.kind, following.title) == (kind, title)
        assert why in following.why


@pytest.mark.covering(most=12)  # nine pages each; the sentences themselves are tried above
@pytest.mark.parametrize("situation", BY_NAME)
def test_all_pages_name_the_next_thing(story: Story, situation: str) -> None:
    story.tell(BY_NAME[situation][0])
    assert_all_pages_agree(story, next_of(story))


@pytest.mark.parametrize(
    "acts",
    [
        [read("biases/one"), wait(days=4), *ORDER, *WAVES],
        [join, assign_to_class("biases", 96), *ORDER, *WAVES],
        [join, assign_to_class("slopes", 96), *ORDER, *WAVES],
    ],
    ids=["begun", "due within the week", "its exercise due"],
)
def test_only_work_without_dates_can_wait(story: Story, acts: list[Act]) -> None:
    """What the map leads past is no lesson that the learner began or that a class expects."""
    story.tell(acts)
    following = next_of(story)
    assert following is not None
    assert following.why == "“Turns” builds on “Waves”, which you have practised."


def assert_all_pages_agree(story: Story, following: Recommendation | None) -> None:
    """Look at header, start page, map, progress page and the page of the last thing that ended."""
    address = following.address if following is not None else ""
    endings = [story.ending] if story.ending else []
    maps = [at("/map/")] if map_of(some_course()) is not None else []
    with story.clock():
        for path in ("/", at("/learn/"), "/accessibility/", *endings):
            assert button_of(header(story.browser, path)) == address, path
        is_new = following is not None and following.is_first
        for path in ("/", at("/progress/"), *maps, *endings):
            page = main(story.browser, path)
            if path == "/" and is_new and "start--back" not in page:
                continue  # the newcomer's start page, which leads on after its question
            named = NAMED.findall(page)
            assert named == ([address] if following is not None else []), path
        for path in endings:
            is_over = "You have done all that this course has for you now." in main(
                story.browser, path
            )
            assert is_over == (following is None), path
        assert_list_agrees(story, following)


def assert_list_agrees(story: Story, following: Recommendation | None) -> None:
    """Look at the button in the list: filled it leads to the next thing, else something else is."""
    lessons = Lesson.objects.filter(course=some_course(), form=Lesson.Form.STEPS)
    is_here = (
        following is not None
        and following.course == some_course().slug
        and lessons.filter(slug=following.lesson).exists()
    )
    buttons = LISTED.findall(main(story.browser, at("/learn/")))
    if following is not None and is_here:
        assert buttons == [("", following.address)]
    elif following is not None:
        assert all("quiet" in classes for classes, _ in buttons)


def button_of(header: str) -> str:
    """Return where the header's button leads, "" without one."""
    match = re.search(r'class="site-header__next"\s+href="([^"]*)"', header)
    return match[1] if match else ""


def header(browser: Client, path: str) -> str:
    return page_of(browser, path).partition("<main")[0]


def main(browser: Client, path: str) -> str:
    return page_of(browser, path).partition("<main")[2]


def page_of(browser: Client, path: str) -> str:
    page = browser.get(path)
    assert page.status_code == 200, path
    return page.content.decode()


@pytest.mark.parametrize(
    ("acts", "word", "is_back"),
    [
        ([], "Start", False),
        ([join, assign_to_class("spin", 72)], "Start", True),
        ([read("order/one")], "Continue", True),
    ],
    ids=["nothing done", "work of a class", "a step read"],
)
def test_newcomer_starts_on_every_page(
    story: Story, acts: list[Act], word: str, *, is_back: bool
) -> None:
    """An account that has done nothing is a newcomer; work of a class it sees all the same."""
    story.tell(acts)
    with story.clock():
        pages = {path: page_of(story.browser, path) for path in ("/", at("/progress/"))}
    for page in pages.values():
        assert f"<span>{word}</span>" in page.partition("<main")[0]
    assert re.search(rf">{word} \(1 min\)", pages[at("/progress/")])
    assert ("start--back" in pages["/"]) is is_back
    if not is_back:  # its question comes first, and the answer leads to the same thing
        with story.clock():
            answered = main(story.browser, "/?notices=yes")
        address = button_of(pages["/"].partition("<main")[0])
        assert re.findall(r'<a class="button" href="([^"]*)"', answered)[:1] == [address]


def test_moving_the_clock_moves_the_next_thing(story: Story) -> None:
    """One story, looked at later and later: each rule has its time."""
    work = assign_to_class("slopes", 70, closes_at=None)
    story.tell([join, *ORDER, read("waves/one"), work])
    seen = []
    for hours in (0, 2, 25, 40, 74, 100):
        at_first, story.now = story.now, story.now + timedelta(hours=hours)
        following = next_of(story)
        assert following is not None
        seen.append(following.title)
        story.now = at_first
    lesson, due = "Waves, step 2", "Slopes"
    # The lesson goes on at once and for three days; the work is due from 22 hours on, until 70.
    assert seen == [lesson, lesson, due, due, "Biases, step 1", "Biases, step 1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("create", "days"),
    [
        (create_small_course, 0),
        (create_small_course, 1),
        (create_small_course, 5),
        (load_ready_course, 1),
        # The next test does all of the shipped course at once.
        pytest.param(load_ready_course, 0, marks=pytest.mark.soak),
        pytest.param(load_ready_course, 5, marks=pytest.mark.soak),
    ],
)
def test_following_next_does_all_and_ends(db, create: Callable[[], object], days: int) -> None:
    """Of somebody who does everything at once, comes back daily, or when all is long ago."""
    create()
    story, course = Story(), some_course()
    visited: list[tuple[str, str]] = []
    while (following := next_of(story)) is not None:
        assert following.kind != "review"
        assert (following.kind, following.slug) not in visited
        visited.append((following.kind, following.slug))
        story.tell([do(following), wait(days=days)])
    lessons = Lesson.objects.filter(course=course).with_steps()
    things = {("step", step.path) for lesson in lessons for step in lesson.path_steps}
    things |= {("quiz", quiz.slug) for quiz in Quiz.objects.filter(course=course).listed()}
    things |= {("exercise", exercise.slug) for exercise in course.exercises.all()}
    assert set(visited) == things


@pytest.mark.slow
def test_each_lesson_is_followed_by_its_work(db) -> None:
    """Following Next, a learner takes a lesson's quiz and writes its code before another lesson.

    Code of a step that goes deeper comes last of all.
    """
    load_ready_course()
    story = Story()
    lessons: list[str] = []
    slugs: list[str] = []
    while (following := next_of(story)) is not None:
        if following.lesson and following.lesson != (lessons or [""])[-1]:
            lessons.append(following.lesson)
        slugs.append(following.slug)
        story.tell([do(following)])
    assert (slugs[-1], lessons.pop()) == ("sinusoidal-module", "sinusoidal-values")
    to_read = Lesson.objects.exclude(form=Lesson.Form.REFERENCE)
    assert len(lessons) == len(set(lessons)) == to_read.count()


@pytest.mark.slow
def test_wavelengths_follow_the_values(db) -> None:
    """In the shipped course; its third lesson is skipped by nobody who has done the first two."""
    load_verified_course()
    story = Story()
    lessons: list[str] = []
    while len(set(lessons)) < 3:
        following = next_of(story)
        assert following is not None
        lessons.append(following.lesson)
        story.tell([do(following)])
    assert lessons[-1] == "sinusoidal-wavelengths"


# ---- what it costs, and who is sent nowhere


@pytest.fixture
def reader(client, course) -> Learner:
    """The learner of a browser that has read one step of the shipped course."""
    lesson = Lesson.objects.with_steps().get(slug="why-order")
    client.post(lesson.steps.all()[0].get_absolute_url())
    return Learner.objects.get()


def test_header_does_not_lead_to_its_own_page(client, reader: Learner) -> None:
    following = next_for(some_course(), reader)
    assert following is not None
    assert button_of(header(client, following.address)) == ""


def test_newcomer_is_sent_nowhere_without_a_query(client, course) -> None:
    client.get("/accessibility/")
    with CaptureQueriesContext(connection) as queries:
        page = header(client, "/accessibility/")
    assert button_of(page) == ""
    assert len(queries) == 0


@pytest.mark.parametrize(("is_member", "queries"), [(False, 1), (True, 2)])
def test_it_takes_two_queries_at_most(course, *, is_member: bool, queries: int) -> None:
    """Whatever was done: one, and one more for a member of a class."""
    learner = create_member(create_class()).user.learner if is_member else create_learner("bea")
    counts = [queries_of_next(learner)]
    for lesson in Lesson.objects.with_steps().filter(course=some_course()):
        for step in lesson.steps.all():
            mark_read(learner=learner, lesson=lesson, step=step)
        counts.append(queries_of_next(learner))
    assert set(counts) == {queries}


def queries_of_next(learner: Learner) -> int:
    """Count the queries of the next thing alone, with a course whose content is cached."""
    course = Course.objects.get(pk=some_course().pk)
    next_for(course, learner)
    with CaptureQueriesContext(connection) as queries:
        next_for(course, learner)
    return len(queries)


def test_only_a_finished_lesson_has_an_ending(client, course) -> None:
    lesson = Lesson.objects.with_steps().get(slug="why-order")
    for step in lesson.steps.all():
        answer = client.post(step.get_absolute_url())
    assert f"Finished: {lesson.title}" in main(client, answer.url)
    assert "Finished:" not in main(client, at("/learn/?finished=sinusoidal-values"))
    assert "Finished:" not in main(client, at("/learn/?finished=none"))


def test_signed_out_an_attempt_asks_to_sign_in(client, course, django_user_model) -> None:
    quiz = at("/quiz/why-order-quiz/")
    attempt = client.post(quiz).url
    client.cookies.clear()
    page = client.get(attempt)
    assert page.status_code == 404  # as one that does not exist: nobody learns the numbers
    assert "Sign in to continue this quiz" in page.content.decode()
    client.force_login(django_user_model.objects.create_user("other"))
    assert client.get(attempt).status_code == 404


def test_a_refused_form_says_so_in_its_title(client, db) -> None:
    page = client.post("/accounts/signup/", {"username": "", "password1": "x"}).content.decode()
    assert "<title>Error: Sign up" in page
    assert 'role="alert"' in page
    assert "site/first_error.js" in page
    assert "Error:" not in client.get("/accounts/signup/").content.decode()
