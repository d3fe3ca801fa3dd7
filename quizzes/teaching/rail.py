"""The rail at the left of instructors' pages: its groups, the page that is shown, the counts.

A page that has no line of its own belongs to one that has: the page of a person to People. So the
rail always says where the reader is, by the name of the address.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from quizzes.classes.badges import Badges, badges_of
from quizzes.courses.current_course import COURSE
from quizzes.learners.models import User
from quizzes.teaching.access import CLASS_ROLE, COHORT, ROLE
from quizzes.teaching.addresses import address_in, class_address


@dataclass(frozen=True)
class Entry:
    """A line of the rail. `parts`: beginnings of the names of pages that belong to it.

    `manages`: for those alone who manage the class or the course. `is_inner`: below the line above.
    `badge`: the name of its count; `unit`: what is counted, in the singular and the plural.
    """

    label: str
    page: str
    parts: tuple[str, ...] = ()
    manages: bool = False
    is_inner: bool = False
    badge: str = ""
    unit: tuple[str, str] = ("", "")

    def holds(self, page: str) -> bool:
        """Return whether a page, by the name of its address, is this line's or belongs to it."""
        return page == self.page or page.startswith(self.parts)


IN_CLASS = (
    Entry("This week", "cohort", ("class-deed", "class-right", "class-name-mistake")),
    Entry(
        "People",
        "class-people",
        ("class-member", "class-roster", "class-link"),
        badge="people",
        unit=("person", "people"),
    ),
    Entry(
        "Work",
        "class-assignments",
        ("class-assign", "class-exception", "class-extra-time", "class-only"),
        badge="open_work",
        unit=("open now", "open now"),
    ),
    Entry("Attempts", "class-attempts", ("class-attempt", "class-answer"), is_inner=True),
    Entry(
        "Submissions",
        "class-submissions",
        (
            "class-submission",
            "class-comment",
            "class-grade",
            "class-withdraw",
            "class-picture",
            "regrade_exercise",
        ),
        is_inner=True,
        badge="not_graded",
        unit=("not graded", "not graded"),
    ),
    Entry("Items", "class-results", ("class-result", "regrade_question"), is_inner=True),
    Entry("Log", "class-log", manages=True, is_inner=True),
    Entry(
        "Marks", "class-marks", ("class-mark", "class-export", "class-separator", "class-responses")
    ),
    Entry("Messages", "class-announcements", ("class-announcement",), manages=True),
    Entry("Settings", "class-settings", ("class-change",), manages=True),
)
IN_COURSE = (
    Entry("Overview", "course", ("copy", "change-listing", "make-home", "grade-again")),
    Entry("Contents", "contents", ("contents-", "works", "picture", "remove-picture")),
    Entry("Results", "class"),
    Entry("Lessons", "lessons", ("lesson",)),
    Entry("Questions", "questions", ("question", "regrade_question")),
    Entry("Quizzes", "quizzes", ("quiz", "find")),
    Entry("Plots", "plots", ("plot",)),
    Entry("Exercises", "exercises", ("exercise", "regrade_exercise", "verify", "mistake")),
    Entry("People", "staff", ("add-staff", "change-staff", "remove-staff"), manages=True),
    Entry("Log", "course-log", manages=True),
)
SITE = (
    Entry("Overview", "index", ("new-course", "upload-course", "apply-course")),
    Entry("Classes", "classes", ("next-term",)),
    Entry("Accounts", "people", ("change-role", "password-link"), manages=True),
    Entry("Log", "site-log", manages=True),
    Entry("Sign-on", "sign-on", manages=True),
)


@dataclass(frozen=True)
class Line:
    """An entry on one page: `current` is "page" on its own page, "true" on one that belongs to it.

    `count` is 0 where nothing is counted or there is nothing; `unit` says what it counts.
    """

    label: str
    address: str
    current: str = ""
    is_inner: bool = False
    count: int = 0
    unit: str = ""


@dataclass(frozen=True)
class Group:
    """Lines under one title: those of the class, of the course, of all teaching."""

    title: str
    lines: Sequence[Line]

    @property
    def here(self) -> str:
        """Return the label of the line of this page, "" where it is in another group."""
        return next((line.label for line in self.lines if line.current), "")


def rail_of(request: HttpRequest) -> tuple[list[Group], Group | None]:
    """Return the groups of the rail of a page, and the one with the page's line, None for none.

    The class comes before the course, and both before all of teaching. One query, in a class.
    """
    page = (request.resolver_match.url_name if request.resolver_match else None) or ""
    groups = list(_groups(request, page))
    nearest = next((group for group in groups if group.here), None)
    return [group if group is nearest else _unmarked(group) for group in groups], nearest


def _groups(request: HttpRequest, page: str) -> Iterator[Group]:
    cohort, class_role = COHORT.get(request), CLASS_ROLE.get(request)
    if cohort is not None and class_role is not None:
        badges = badges_of(cohort, timezone.now())
        yield Group(
            cohort.title,
            [
                _line(entry, page, class_address(cohort, entry.page), badges)
                for entry in IN_CLASS
                if class_role.may_manage or not entry.manages
            ],
        )
    role = ROLE.get(request)
    if role is not None:
        course = COURSE.of(request)
        yield Group(
            course.title,
            [
                _line(entry, page, address_in(course, entry.page))
                for entry in IN_COURSE
                if role.may_manage or not entry.manages
            ],
        )
    runs_site = isinstance(request.user, User) and request.user.is_superuser
    yield Group(
        "Teaching",
        [
            _line(entry, page, reverse(f"teaching:{entry.page}"))
            for entry in SITE
            if runs_site or not entry.manages
        ],
    )


def _line(entry: Entry, page: str, address: str, badges: Badges | None = None) -> Line:
    current = "page" if page == entry.page else "true" if entry.holds(page) else ""
    count = getattr(badges, entry.badge) if badges and entry.badge else 0
    unit = entry.unit[count != 1]
    return Line(entry.label, address, current, entry.is_inner, count, unit)


def _unmarked(group: Group) -> Group:
    """Return a group without a current line: only the nearest has one, so a page stands once."""
    return replace(group, lines=[replace(line, current="") for line in group.lines])
