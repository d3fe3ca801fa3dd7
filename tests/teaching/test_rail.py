"""The rail of instructors' pages: every page has its place in it, for those who may open it."""

import re

import numpy as np
import pytest
from django.utils import timezone

from quizzes.classes.badges import badges_of
from quizzes.classes.models import Assignment
from quizzes.courses.models import AuditEntry
from quizzes.exercises.models import CasePicture
from quizzes.grader.judge.picture import crop_around_worst
from quizzes.teaching.people import urls as people_urls
from quizzes.teaching.rail import IN_CLASS, IN_COURSE
from quizzes.teaching.results import urls as result_urls
from quizzes.teaching.urls import IN_A_COURSE
from quizzes.teaching.week import urls as week_urls
from quizzes.teaching.work import urls as work_urls
from tests.classes.pages import count_queries, teach_class
from tests.exercises.making import ready_exercise
from tests.factories import (
    DAY,
    assign,
    browser_of,
    create_class,
    create_member,
    create_quiz,
    create_submission,
)
from tests.teaching.forms import teach

ALL_OF_A_CLASS = [
    *week_urls.IN_A_CLASS,
    *people_urls.IN_A_CLASS,
    *work_urls.IN_A_CLASS,
    *result_urls.IN_A_CLASS,
]
MANAGED = ("Log", "Messages", "Settings")


@pytest.fixture
def cohort(course):
    return create_class(course=course)


def rail_in(page: str) -> str:
    """Return the rail, which comes before the content, so that the skip link leads past it."""
    start, end = page.index('<nav class="rail"'), page.index("</nav>", page.index('class="rail"'))
    assert end < page.index('<main id="main"')
    return page[start:end]


def marked(page: str) -> list[tuple[str, str]]:
    """Return what the rail marks: how, and the label."""
    return re.findall(r'aria-current="(\w+)">\s*([A-Za-z -]+?)\s*<', rail_in(page))


@pytest.mark.parametrize(
    ("patterns", "entries"), [(ALL_OF_A_CLASS, IN_CLASS), (IN_A_COURSE, IN_COURSE)]
)
def test_each_address_belongs_to_one_line(patterns, entries) -> None:
    for pattern in patterns:
        if not pattern.name.startswith("moved-"):  # these only lead on
            holders = [entry.label for entry in entries if entry.holds(pattern.name)]
            assert len(holders) == 1, (pattern.name, holders)


@pytest.mark.django_db
def test_pages_mark_their_line_once(cohort) -> None:
    teacher = create_member(cohort, "teacher", role="instructor")
    student = create_member(cohort, "ada")
    browser = browser_of(teacher.user)
    for path, how, label in (
        ("", "page", "This week"),
        ("people/", "page", "People"),
        (f"people/{student.pk}/", "true", "People"),
        ("roster/", "true", "People"),
        ("assignments/", "page", "Work"),
        ("extra-time/", "true", "Work"),
        ("results/", "page", "Items"),
        ("log/", "page", "Log"),
        ("exports/", "true", "Marks"),
        ("announcements/", "page", "Messages"),
        ("settings/", "page", "Settings"),
    ):
        page = browser.get(teach_class(path)).content.decode()
        assert marked(page) == [(how, label)], path


@pytest.mark.django_db
def test_assistants_see_no_managing_pages(cohort) -> None:
    pages = {
        role: rail_in(
            browser_of(create_member(cohort, role, role=role).user)
            .get(teach_class())
            .content.decode()
        )
        for role in ("assistant", "instructor")
    }
    for label in MANAGED:
        assert re.search(rf">\s*{label}\s*<", pages["instructor"])
        assert not re.search(rf">\s*{label}\s*<", pages["assistant"])


@pytest.mark.django_db
def test_course_pages_mark_their_line(course, ada) -> None:
    assert marked(ada.get(teach("questions/")).content.decode()) == [("page", "Questions")]
    assert marked(ada.get(teach()).content.decode()) == [("page", "Overview")]
    assert marked(ada.get("/teach/classes/").content.decode()) == [("page", "Classes")]


@pytest.mark.django_db
@pytest.mark.both_databases(postgresql="soak")
def test_badges_count_in_one_query(cohort, django_assert_num_queries) -> None:
    exercise = ready_exercise()
    now = timezone.now()
    people = [create_member(cohort, name) for name in ("ada", "bea")]
    create_member(cohort, "gone", state="removed")
    create_member(cohort, "helper", role="assistant")
    outsider = create_member(create_class("other", course=cohort.course), "eve")
    assign(cohort, exercise)
    assign(cohort, create_quiz("later"), opens_at=now + DAY)
    assign(cohort, create_quiz("over"), closes_at=now - DAY)
    assign(cohort, create_quiz("hidden"), is_visible=False)
    failure = {"our_failure": "the disk was full", "tries_used": 3}
    for member in (*people, outsider):
        create_submission(exercise, member, "not_graded", **failure)
    create_submission(exercise, people[0], "correct")
    with django_assert_num_queries(1):
        badges = badges_of(cohort, now)
    assert (badges.students, badges.open_work, badges.not_graded) == (2, 1, 2)
    teacher = browser_of(create_member(cohort, "teacher", role="instructor").user)
    text = re.sub(r"<[^>]+>|\s+", " ", rail_in(teacher.get(teach_class("log/")).content.decode()))
    assert re.search(r"People +2 +students .*Work +1 +open now .*Submissions +2 +not graded", text)
    few = count_queries(teacher, teach_class("log/"))
    Assignment.objects.all().delete()
    assert count_queries(teacher, teach_class("log/")) == few


@pytest.mark.django_db
def test_week_shows_both_pictures_without_opening(cohort) -> None:
    """The newest code with a picture; a list of the class opens nobody's work."""
    exercise, student = ready_exercise(), create_member(cohort, "ada")
    teacher = browser_of(create_member(cohort, "teacher", role="instructor").user)
    made = create_submission(exercise, student, "known_mistake", known_mistake="swap")
    page = teacher.get(teach_class()).content.decode()
    assert "mistake__pictures" not in page
    queries = count_queries(teacher, teach_class())
    picture = crop_around_worst(np.zeros((3, 4)), np.eye(3, 4))
    CasePicture.objects.create(submission=made, arrays=picture.to_bytes())
    assert count_queries(teacher, teach_class()) == queries
    page = teacher.get(teach_class()).content.decode()
    shown = re.findall(r'<img src="([^"]+)"\s+alt="([^"]+)"', page)
    assert [address.rpartition("/")[2] for address, _ in shown] == ["reference.svg", "yours.svg"]
    assert "The reference value in" in shown[0][1]
    assert "Their value in" in shown[1][1]
    for address, _ in shown:
        answer = teacher.get(address)
        assert answer["Content-Type"] == "image/svg+xml"
        assert b"<text" not in answer.content  # no letters that would be too small to read
    other = browser_of(create_member(create_class("other"), "eve", role="instructor").user)
    assert other.get(shown[0][0]).status_code == 404
    assert teacher.get(shown[0][0].replace("reference", "nothing")).status_code == 404
    assert not AuditEntry.objects.filter(act="opened").exists()
