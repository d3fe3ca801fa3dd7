"""The rail of instructors' pages: every page has its place in it, for those who may open it."""

import gzip
import re
from datetime import timedelta
from html import unescape

import numpy as np
import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

from quizzes.classes.badges import badges_of
from quizzes.classes.marks.reader import assignments_of
from quizzes.classes.models import Assignment, Cohort
from quizzes.classes.week.reader import MOST_SHOWN
from quizzes.courses.models import AuditEntry, CourseStaff
from quizzes.exercises.models import CasePicture, Submission
from quizzes.grader.judge.picture import crop_around_worst
from quizzes.teaching.people import urls as people_urls
from quizzes.teaching.rail import IN_CLASS, IN_COURSE, SITE
from quizzes.teaching.results import urls as result_urls
from quizzes.teaching.urls import IN_A_COURSE, urlpatterns
from quizzes.teaching.week import urls as week_urls
from quizzes.teaching.work import urls as work_urls
from tests.classes.pages import count_queries, teach_class
from tests.exercises.asking import with_everything
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
OF_THE_SITE = [
    pattern
    for pattern in urlpatterns
    if isinstance(pattern, URLPattern) and not pattern.name.startswith("short-")
]
LEADS_ON = {"end-view"}  # to the class that was viewed
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
    ("patterns", "entries"),
    [(ALL_OF_A_CLASS, IN_CLASS), (IN_A_COURSE, IN_COURSE), (OF_THE_SITE, SITE)],
)
def test_each_address_belongs_to_one_line(patterns, entries) -> None:
    for pattern in patterns:
        if not pattern.name.startswith("moved-") and pattern.name not in LEADS_ON:
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
def test_quiz_previews_have_the_rail(ada) -> None:
    quiz = create_quiz()
    page = ada.get(teach(f"quizzes/{quiz.slug}/preview/")).content.decode()
    assert marked(page) == [("true", "Quizzes")]


@pytest.mark.django_db
def test_regrades_mark_the_class_they_name(cohort) -> None:
    """For somebody with both roles the rail has both groups: the nearest is marked, once."""
    exercise = ready_exercise()
    teacher = create_member(cohort, "teacher", role="instructor")
    CourseStaff.objects.create(course=cohort.course, user=teacher.user, role="editor")
    page, browser = teach(f"exercises/{exercise.slug}/regrade/"), browser_of(teacher.user)
    for address, label in ((f"{page}?class={cohort.slug}", "Submissions"), (page, "Exercises")):
        answer = browser.get(address)
        assert answer.status_code == 200
        assert marked(answer.content.decode()) == [("true", label)]


@pytest.mark.django_db
def test_drawer_is_named_on_any_page(cohort, rf) -> None:
    """A summary without words would be a button without a name."""
    request = rf.get("/teach/of-no-line/")
    request.user = create_member(cohort, "teacher", role="instructor").user
    drawn = Template("{% load teaching_tags %}{% rail %}").render(Context({"request": request}))
    (summary,) = re.findall(r"<summary>(.*?)</summary>", drawn, re.DOTALL)
    assert re.sub(r"<[^>]+>", "", summary).split() == ["Teaching"]


@pytest.mark.django_db
@pytest.mark.both_databases(postgresql="soak")
def test_badges_count_in_one_query(cohort, django_assert_num_queries) -> None:
    exercise = ready_exercise()
    now = timezone.now()
    people = [create_member(cohort, name) for name in ("ada", "bea")]
    create_member(cohort, "gone", state="removed")
    create_member(cohort, "helper", role="assistant")
    create_member(cohort, "new", state="invited")
    outsider = create_member(create_class("other", course=cohort.course), "eve")
    assign(cohort, exercise)
    assign(cohort, create_quiz("later"), opens_at=now + DAY)
    assign(cohort, create_quiz("over"), closes_at=now - DAY)
    assign(cohort, create_quiz("hidden"), is_visible=False)
    failure = {"our_failure": "the disk was full", "tries_used": 3}
    for member in (*people, outsider):
        create_submission(exercise, member, "not_graded", **failure)
    create_submission(exercise, people[0], "correct")
    create_submission(exercise, people[1], "not_graded", kind="check", **failure)
    with django_assert_num_queries(1):
        badges = badges_of(cohort, now)
    assert (badges.people, badges.open_work, badges.not_graded) == (4, 1, 2)
    teacher = browser_of(create_member(cohort, "teacher", role="instructor").user)
    text = re.sub(r"<[^>]+>|\s+", " ", rail_in(teacher.get(teach_class("log/")).content.decode()))
    assert re.search(r"People +5 +people .*Work +1 +open now .*Submissions +2 +not graded", text)
    assert "5 people" in teacher.get(teach_class("people/")).content.decode()
    listed = teacher.get(teach_class("submissions/?verdict=not_graded")).context["rows"]
    assert len(listed) == badges.not_graded
    few = count_queries(teacher, teach_class("log/"))
    Assignment.objects.all().delete()
    assert count_queries(teacher, teach_class("log/")) == few


@pytest.mark.django_db
@pytest.mark.both_databases(postgresql="soak")
def test_open_work_is_what_rules_open(cohort) -> None:
    """Both ends belong to the window; an archived class takes no work."""
    now, moment = timezone.now(), timedelta(microseconds=1)
    ends = [
        (opens, closes)
        for opens in (now - DAY, now - moment, now, now + moment)
        for closes in (None, now - moment, now, now + moment)
        if closes is None or opens < closes
    ]
    for number, (opens, closes) in enumerate(ends):
        assign(cohort, create_quiz(f"q{number}"), opens_at=opens, closes_at=closes)
    rules = [assignment.rule_for() for assignment in assignments_of(cohort)]
    assert len(rules) == len(ends)
    assert badges_of(cohort, now).open_work == sum(rule.is_open(now) for rule in rules)
    Cohort.objects.update(archived_at=now)
    cohort.refresh_from_db()
    assert badges_of(cohort, now).open_work == 0


@pytest.mark.django_db
def test_week_shows_both_pictures_without_opening(cohort) -> None:
    """The newest code with a picture; a list of the class opens nobody's work."""
    exercise, student = ready_exercise(), create_member(cohort, "ada")
    teacher = browser_of(create_member(cohort, "teacher", role="instructor").user)
    made = create_submission(exercise, student, "known_mistake", known_mistake="swap")
    page = teacher.get(teach_class()).content.decode()
    assert "small-pictures" not in page
    queries = count_queries(teacher, teach_class())
    picture = crop_around_worst(np.zeros((3, 4)), np.eye(3, 4))
    CasePicture.objects.create(submission=made, arrays=picture.to_bytes())
    assert count_queries(teacher, teach_class()) == queries
    page = teacher.get(teach_class()).content.decode()
    shown = re.findall(r'<img src="([^"]+)"\s+alt="([^"]+)"', page)
    assert [layer_of(address) for address, _ in shown] == ["reference.svg", "yours.svg"]
    assert re.findall(r"<figcaption>([^<]+)</figcaption>", page) == ["Reference", "Theirs"]
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


def layer_of(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[2]


@pytest.mark.django_db
def test_newest_drawable_picture_is_shown(cohort) -> None:
    """A single cell is told in numbers; the code before it may have a picture."""
    exercise, now = ready_exercise(), timezone.now()
    teacher = browser_of(create_member(cohort, "teacher", role="instructor").user)
    rows = []
    for name, shape, ago in (("ada", (3, 4), 2), ("bea", (1, 1), 1)):
        student = create_member(cohort, name, joined_at=now - 30 * DAY)
        made = create_submission(
            exercise, student, "known_mistake", now - timedelta(seconds=ago), known_mistake="swap"
        )
        picture = crop_around_worst(np.zeros(shape), np.eye(*shape))
        CasePicture.objects.create(submission=made, arrays=picture.to_bytes())
        rows.append(made)
    page = teacher.get(teach_class()).content.decode()
    shown = re.findall(r'<img src="[^"]+submissions/(\d+)/', page)
    assert shown == [str(rows[0].pk)] * 2


@pytest.mark.django_db
def test_pictures_change_address_after_another_grading(cohort) -> None:
    """A browser keeps a picture under its address; one without a version is asked for again."""
    exercise, student = ready_exercise(), create_member(cohort, "ada")
    teacher = browser_of(create_member(cohort, "teacher", role="instructor").user)
    report = with_everything().as_json()
    made = create_submission(
        exercise, student, "known_mistake", known_mistake="swap", report=report
    )
    picture = crop_around_worst(np.zeros((3, 4)), np.eye(3, 4))
    CasePicture.objects.create(submission=made, arrays=picture.to_bytes())
    pages = [(teacher, teach_class()), (browser_of(student.user), made.get_absolute_url())]
    before = [pictures_in(browser, page) for browser, page in pages]
    Submission.objects.filter(pk=made.pk).update(graded_at=made.graded_at + timedelta(seconds=1))
    for (browser, page), earlier in zip(pages, before, strict=True):
        later = pictures_in(browser, page)
        assert [layer_of(address) for address in later] == [layer_of(old) for old in earlier]
        assert not set(later) & set(earlier)
        for address in later:
            assert "immutable" in browser.get(address)["Cache-Control"]
        for address in (*earlier, later[0].partition("?")[0]):
            assert browser.get(address)["Cache-Control"] == "private, no-cache"


def pictures_in(browser: Client, page: str) -> list[str]:
    """Return the addresses of the pictures of a page, in light and in dark."""
    drawn = browser.get(page).content.decode()
    addresses = re.findall(r'(?:srcset|src)="([^"]+\.svg[^"]*)"', drawn)
    assert len(addresses) >= 4
    return [unescape(address) for address in addresses]


MOST_BYTES = 9 * 1024  # as sent, that the frame, the curves and the pictures may add
ADDED = (
    r'<nav class="rail".*?</nav>',
    r'<svg class="curve".*?</svg>',
    r'<div class="small-pictures">.*?</div>',
)


@pytest.mark.django_db
def test_frame_and_curves_add_few_bytes(cohort, monkeypatch) -> None:
    """A week of as many mistakes as have pictures; `-s` prints what they add."""
    monkeypatch.setattr("quizzes.teaching.week.curve.FEWEST_DAYS", 1)  # also on a Monday
    exercise, student = ready_exercise(), create_member(cohort, "ada")
    teacher = browser_of(create_member(cohort, "teacher", role="instructor").user)
    numbers = np.random.default_rng(7)
    for slip in range(MOST_SHOWN):
        made = create_submission(exercise, student, "known_mistake", known_mistake=f"slip-{slip}")
        picture = crop_around_worst(numbers.normal(size=(8, 8)), numbers.normal(size=(8, 8)))
        CasePicture.objects.create(submission=made, arrays=picture.to_bytes())
    page = teacher.get(teach_class()).content.decode()
    without = page
    for part in ADDED:
        without, times = re.subn(part, "", without, flags=re.DOTALL)
        assert times in {1, MOST_SHOWN}
    sent = [len(gzip.compress(html.encode(), 6)) for html in (page, without)]
    print(f"{sent[0] - sent[1]} bytes as sent, {len(page) - len(without)} characters")
    assert sent[0] - sent[1] < MOST_BYTES
