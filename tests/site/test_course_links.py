"""Links in the texts of a course lead into this course, whichever it is that has the texts."""

import re

import pytest
from django.test import Client

from quizzes.assessment.models import Question, Quiz
from quizzes.courses.models import Course
from quizzes.courses.urls import SHORT
from quizzes.exercises import publishing
from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Lesson, Step
from quizzes.pages.course_links import WITHIN, with_course_links
from tests.shipped_course import load_shipped_course

HREF = re.compile(r'\b(?:href|action|hx-post)="(/[^"]*)"')
# Pages that are the site's own, whatever the course.
OF_THE_SITE = re.compile(r"/(?:(?:explore|figures|accounts|review|accessibility|me/data)/|\?|#|$)")


@pytest.fixture
def course(db: None) -> Course:
    load_shipped_course()
    while (version := publishing.lease_unverified()) is not None:
        publishing.accept(version=version, seed=1, data=b"", outline={"shown": [], "hidden": 1})
    return Course.objects.get()


def main_of(answer: object) -> str:
    assert answer.status_code == 200
    html = answer.content.decode()
    return html.partition("<main")[2].partition("</main>")[0] or html


def texts(course: Course, every: int) -> dict[str, str]:
    """Return what a reader sees of every so many texts: a learner who has answered all wrong."""
    client, found = Client(), {}
    steps = Step.objects.filter(lesson__course=course).select_related("lesson__course")
    quizzes = Quiz.objects.filter(course=course).select_related("course")
    exercises = Exercise.objects.filter(course=course).select_related("course")
    lists = [course.get_absolute_url(), *course.lists.values()]
    tables = (steps, quizzes, exercises)
    pages = [row.get_absolute_url() for table in tables for row in table[::every]]
    for address in (*lists, *pages):
        found[address] = main_of(client.get(address, follow=True))
    fixed = Question.objects.filter(course=course, current__generator={})
    for question in fixed.select_related("course", "current")[::every]:
        wrong = question.current.options.filter(is_key=False).first()
        version = {"version": question.current_id}
        given = {"option": wrong.pk} if wrong else {"number": "-123456", **version}
        address = question.practice_address.replace("/practice/", "/questions/") + "answer/"
        data = {"step": "any/step", **given}
        found[address] = main_of(client.post(address, data, headers={"HX-Request": "true"}))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "every"),  # by its own name no link can be wrong that by another is right
    [
        pytest.param("positional-encodings", 1, marks=pytest.mark.soak),
        pytest.param("another", 1, marks=pytest.mark.soak),
        ("another", 12),
    ],
)
def test_every_link_of_every_text_leads_into_the_course_that_has_it(
    course: Course, slug: str, every: int
) -> None:
    Course.objects.filter(pk=course.pk).update(slug=slug)
    shown = texts(Course.objects.get(), every)
    within = {where: re.findall(rf'href="/c/{slug}/', html) for where, html in shown.items()}
    assert sum(map(len, within.values())) > 1000 / every
    assert sum("Your answer" in html for html in shown.values()) > 100 / every
    wrong = [
        (where, link)
        for where, html in shown.items()
        for link in HREF.findall(html)
        if not link.startswith(f"/c/{slug}/") and not OF_THE_SITE.match(link)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "target", ["/learn/x/y/?a=1#b", "/quiz/q/", "/exercises/", "/map/?focus=a"]
)
def test_a_link_within_the_course_gets_the_course(target: str) -> None:
    assert with_course_links(f'<a href="{target}">x</a>', "own") == (
        f'<a href="/c/own{target}">x</a>'
    )


@pytest.mark.parametrize(
    "html",
    [
        '<a href="/c/other/learn/x/">x</a>',
        '<a href="https://example.org/learn/x/">x</a>',
        '<a href="//evil.example/learn/">x</a>',
        '<a href="/learning/x/">x</a>',
        '<a href="/explore/?enc=rope/turns">x</a>',
        '<a href="#learn">x</a>',
        "<code>href=&quot;/learn/x/&quot;</code>",
        '<img src="/learn/x.png">',
    ],
)
def test_every_other_link_stays(html: str) -> None:
    assert with_course_links(html, "own") == html


def test_what_every_course_has_had_a_short_address_before() -> None:
    """A link that was right before there were several courses leads into the text's own course."""
    forms = {"questions", "search"}  # addresses of forms, to which no text leads
    shown = {now for old, now in SHORT.items() if old not in forms}
    assert set(WITHIN) == shown
    for old, now in SHORT.items():
        if now in WITHIN:
            html = with_course_links(f'<a href="/{old}/x/">x</a>', "own")
            assert html == f'<a href="/c/own/{now}/x/">x</a>'


def test_a_link_to_another_course_stays_on_the_page(client: Client, db: None) -> None:
    load_shipped_course()
    text = "See [there](/c/other/learn/x/y/) and [here](/learn/rope/).\n"
    Step.objects.filter(lesson__slug="rope", number=1).update(text=text)
    page = client.get(Lesson.objects.get(slug="rope").steps.first().get_absolute_url())
    assert 'href="/c/other/learn/x/y/"' in page.content.decode()
    assert 'href="/c/positional-encodings/learn/rope/"' in page.content.decode()
