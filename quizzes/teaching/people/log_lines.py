"""The lines of a log: who did what, to which things and people, each with the page where it is.

A thing has the title that it had then, and no link once it is gone. A person has the name that the
class has for them now. However long the page, each kind takes one query.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.http import urlencode

from quizzes.assessment.models import Question, Quiz
from quizzes.classes.access import attempts_seen, submissions_seen
from quizzes.classes.models import Announcement, Assignment, Cohort, Membership
from quizzes.classes.week.deeds import act_in_words
from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.audit import subjects_of
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import AuditEntry, Course
from quizzes.exercises.models import Exercise
from quizzes.learners.models import User
from quizzes.lessons.models import Lesson, Plot
from quizzes.teaching.addresses import address_in, class_address

MOST_NAMED = 6  # of one entry before the others are folded


@dataclass(frozen=True)
class Name:
    """What a thing or a person is called, and where it is: "" where there is no page of it."""

    words: str
    address: str = ""


@dataclass(frozen=True)
class Line:
    """One entry of a log, ready to be shown."""

    entry: AuditEntry
    act: str  # in the words of today
    by: Name
    names: Sequence[Name]
    folded: Sequence[Name]
    place: Name


class Place(NamedTuple):
    """Where the key of a subject counts: keys of things of a course are names within it."""

    course: int | None
    key: str


Names = Mapping[Place, Name]


@dataclass(frozen=True)
class Log:
    """The log of a class, of a course, or of the site, where neither is given.

    Things of a class are linked in its own log alone, where it is known who sees them.
    `sees_course`: whether the reader has a role in the course, or in all of them.
    """

    cohort: Cohort | None = None
    course: Course | None = None
    sees_course: bool = True


@dataclass(frozen=True)
class _Lookup:
    """The entries of a page, and what stands in them by its kind."""

    log: Log
    entries: Sequence[AuditEntry]
    places: Mapping[Kind, set[Place]] = field(default_factory=dict)

    def numbers(self, kind: Kind) -> list[int]:
        keys = (read_whole_number(place.key) for place in self.places[kind])
        return [key for key in keys if key is not None]

    def slugs(self, kind: Kind) -> Q:
        """Return the condition for the things of courses that are named."""
        places = self.places[kind]
        courses = {place.course for place in places}
        return Q(course__in=courses, slug__in={place.key for place in places})


def log_lines(entries: Iterable[AuditEntry], log: Log) -> list[Line]:
    """Return the lines of these entries. One query for each kind of subject at most, and one more.

    The entries have their accounts and courses with them.
    """
    rows = list(entries)
    places: dict[Kind, set[Place]] = {}
    for entry in rows:
        for subject in subjects_of(entry):
            places.setdefault(subject.kind, set()).add(Place(entry.course_id, subject.key))
    page = _Lookup(log, rows, places)
    there = {kind: find(page) for kind, find in _FINDERS.items() if kind in places}
    staff = _staff(page)
    classes = _classes(page)
    return [_line(entry, log, there, staff, classes) for entry in rows]


def _line(
    entry: AuditEntry,
    log: Log,
    there: Mapping[Kind, Names],
    staff: Mapping[int, Name],
    classes: Mapping[str, Name],
) -> Line:
    names = [
        _name(subject, there.get(subject.kind, {}).get(Place(entry.course_id, subject.key)))
        for subject in subjects_of(entry)
    ]
    by = Name(str(entry.by)) if entry.by else Name(f"account {entry.by_number}, deleted")
    place = Name("")
    if log.cohort is None:
        title = entry.course.title if entry.course else ""
        place = classes.get(entry.cohort, Name(f"class {entry.cohort}" if entry.cohort else title))
    fold = MOST_NAMED if len(names) > MOST_NAMED + 1 else len(names)
    act, who = act_in_words(entry.act), staff.get(entry.by_id or 0, by)
    return Line(entry, act, who, names[:fold], names[fold:], place)


def _name(subject: Subject, there: Name | None) -> Name:
    """Return the title of that time with the address of today; a person's name is of today."""
    if there is None:
        gone = {Kind.MEMBER: "somebody who is no longer listed", Kind.ACCOUNT: "a deleted account"}
        return Name(gone.get(subject.kind, subject.words))
    if subject.kind.is_person or not subject.title:
        return there
    return Name(subject.title, there.address)


# ---- what is there, by kind


def _staff(lookup: _Lookup) -> Mapping[int, Name]:
    """Return the names in a class of the accounts that did it, by their keys."""
    cohort = lookup.log.cohort
    if cohort is None:
        return {}
    accounts = {entry.by_id for entry in lookup.entries if entry.by_id}
    rows = Membership.objects.filter(cohort=cohort, user__in=accounts).select_related("user")
    return {row.user_id: _of_member(row, cohort) for row in rows if row.user_id}


def _of_member(row: Membership, cohort: Cohort) -> Name:
    return Name(row.label, class_address(cohort, "class-member", row.pk))


def _classes(lookup: _Lookup) -> Mapping[str, Name]:
    """Return the logs of the classes that the log of the site names."""
    slugs = {entry.cohort for entry in lookup.entries if entry.cohort}
    if lookup.log.cohort is not None or not slugs:
        return {}
    rows = Cohort.objects.filter(slug__in=slugs)
    return {row.slug: Name(row.title, class_address(row, "class-log")) for row in rows}


def _members(lookup: _Lookup) -> Names:
    rows = Membership.objects.filter(pk__in=lookup.numbers(Kind.MEMBER)).select_related("user")
    cohort = lookup.log.cohort
    if cohort is None:
        return _by_number(lookup, Kind.MEMBER, {row.pk: Name(row.label) for row in rows})
    rows = rows.filter(cohort=cohort)
    return _by_number(lookup, Kind.MEMBER, {row.pk: _of_member(row, cohort) for row in rows})


def _by_number(lookup: _Lookup, kind: Kind, names: Mapping[int, Name]) -> Names:
    return {
        place: names[key]
        for place in lookup.places[kind]
        if (key := read_whole_number(place.key)) is not None and key in names
    }


def _accounts(lookup: _Lookup) -> Names:
    """Return accounts, with the page where the reader of the log changes what they may."""
    rows, log = User.objects.filter(pk__in=lookup.numbers(Kind.ACCOUNT)), lookup.log

    def address(row: User) -> str:
        if log.cohort is not None:
            return ""
        if log.course is not None:
            return address_in(log.course, "staff")
        return f"{reverse('teaching:people')}?{urlencode({'q': row.username})}"

    names = {row.pk: Name(row.username, address(row)) for row in rows}
    return _by_number(lookup, Kind.ACCOUNT, names)


def _assignments(lookup: _Lookup) -> Names:
    if (cohort := lookup.log.cohort) is None:
        return {}
    rows = Assignment.objects.filter(cohort=cohort, pk__in=lookup.numbers(Kind.ASSIGNMENT))
    rows = rows.select_related("quiz", "exercise__current", "lesson")
    names = {
        row.pk: Name(row.title, class_address(cohort, "class-assignment", row.pk)) for row in rows
    }
    return _by_number(lookup, Kind.ASSIGNMENT, names)


def _announcements(lookup: _Lookup) -> Names:
    if (cohort := lookup.log.cohort) is None:
        return {}
    rows = Announcement.objects.filter(cohort=cohort, pk__in=lookup.numbers(Kind.ANNOUNCEMENT))
    page = class_address(cohort, "class-announcements")
    names = {row.pk: Name(row.title, f"{page}#announcement-{row.pk}") for row in rows}
    return _by_number(lookup, Kind.ANNOUNCEMENT, names)


def _submissions(lookup: _Lookup) -> Names:
    if (cohort := lookup.log.cohort) is None:
        return {}
    rows = submissions_seen(cohort).filter(pk__in=lookup.numbers(Kind.SUBMISSION))
    return _work(lookup, cohort, Kind.SUBMISSION, rows.order_by().values_list("pk", flat=True))


def _attempts(lookup: _Lookup) -> Names:
    if (cohort := lookup.log.cohort) is None:
        return {}
    rows = attempts_seen(cohort).filter(pk__in=lookup.numbers(Kind.ATTEMPT))
    return _work(lookup, cohort, Kind.ATTEMPT, rows.order_by().values_list("pk", flat=True))


def _work(lookup: _Lookup, cohort: Cohort, kind: Kind, numbers: Iterable[int]) -> Names:
    names = {
        number: Name(f"{kind} {number}", class_address(cohort, f"class-{kind}", number))
        for number in numbers
    }
    return _by_number(lookup, kind, names)


def _sections(lookup: _Lookup) -> Names:
    if (cohort := lookup.log.cohort) is None:
        return {}
    names = {place.key for place in lookup.places[Kind.SECTION]}
    rows = Membership.objects.filter(cohort=cohort, section__in=names).order_by()
    there = set(rows.values_list("section", flat=True))
    page = class_address(cohort, "class-people")
    return {
        place: Name(f"section {place.key}", f"{page}?{urlencode({'section': place.key})}")
        for place in lookup.places[Kind.SECTION]
        if place.key in there
    }


def _questions(lookup: _Lookup) -> Names:
    """Return questions, for staff of the class alone with the page that regrades answers."""
    rows = Question.objects.filter(lookup.slugs(Kind.QUESTION)).select_related("course")
    cohort = lookup.log.cohort

    def address(row: Question) -> str:
        if lookup.log.sees_course or cohort is None:
            return address_in(row.course, "question", row.slug)
        if row.current_id is None:
            return ""
        page = address_in(row.course, "regrade_question", row.slug)
        return f"{page}?{urlencode({'class': cohort.slug})}"

    return {Place(row.course_id, row.slug): Name(row.slug, address(row)) for row in rows}


def _quizzes(lookup: _Lookup) -> Names:
    rows = Quiz.objects.filter(lookup.slugs(Kind.QUIZ)).select_related("course")
    return {
        Place(row.course_id, row.slug): Name(
            row.title, _of_course(lookup.log, "quiz", row, is_open=row.is_open)
        )
        for row in rows
    }


def _lessons(lookup: _Lookup) -> Names:
    rows = Lesson.objects.filter(lookup.slugs(Kind.LESSON)).select_related("course")
    return {
        Place(row.course_id, row.slug): Name(
            row.title or row.slug,
            _of_course(lookup.log, "lesson", row, is_open=row.withdrawn_at is None),
        )
        for row in rows
    }


def _plots(lookup: _Lookup) -> Names:
    rows = Plot.objects.filter(lookup.slugs(Kind.PLOT)).select_related("course")
    return {
        Place(row.course_id, row.slug): Name(str(row), _of_plot(lookup.log, row)) for row in rows
    }


def _of_plot(log: Log, plot: Plot) -> str:
    """Return the page of the course's staff; learners meet a plot in lessons, on no page."""
    return address_in(plot.course, "plot", plot.slug) if log.sees_course else ""


def _exercises(lookup: _Lookup) -> Names:
    rows = Exercise.objects.filter(lookup.slugs(Kind.EXERCISE)).select_related("course", "current")
    return {
        Place(row.course_id, row.slug): Name(
            row.current.title if row.current else row.slug,
            _of_course(
                lookup.log,
                "exercise",
                row,
                is_open=row.current is not None and row.withdrawn_at is None,
            ),
        )
        for row in rows
    }


def _of_course(log: Log, page: str, row: Lesson | Quiz | Exercise, *, is_open: bool) -> str:
    """Return the page of the course's staff, for others that of its learners while it is open."""
    if log.sees_course:
        return address_in(row.course, page, row.slug)
    return row.get_absolute_url() if is_open else ""


def _mistakes(lookup: _Lookup) -> Names:
    """Return the lists of submissions that made the mistakes."""
    if (cohort := lookup.log.cohort) is None:
        return {}
    page, names = class_address(cohort, "class-submissions"), {}
    for place in lookup.places[Kind.MISTAKE]:
        exercise, _, slug = place.key.partition("/")
        query = urlencode({"exercise": exercise, "mistake": slug})
        names[place] = Name(place.key, f"{page}?{query}")
    return names


_FINDERS: Mapping[Kind, Callable[[_Lookup], Names]] = {
    Kind.LESSON: _lessons,
    Kind.QUESTION: _questions,
    Kind.QUIZ: _quizzes,
    Kind.EXERCISE: _exercises,
    Kind.PLOT: _plots,
    Kind.MISTAKE: _mistakes,
    Kind.ASSIGNMENT: _assignments,
    Kind.ANNOUNCEMENT: _announcements,
    Kind.SUBMISSION: _submissions,
    Kind.ATTEMPT: _attempts,
    Kind.SECTION: _sections,
    Kind.MEMBER: _members,
    Kind.ACCOUNT: _accounts,
}
