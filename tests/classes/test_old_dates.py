"""An upgrade to days of the class's clock and to the later of two dates moves no mark of old work.

The night of 25 October 2025 has 25 hours in Vienna: what came at 20:00 the next day was two days
late by days of 24 hours, and is one day late on the clock.
"""

from collections import Counter
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from quizzes.classes.marks.reader import marks
from quizzes.classes.models import Assignment, AssignmentException, MarkOverride
from tests.classes.test_old_rules import migrate, to_the_newest
from tests.exercises.making import ready_exercise
from tests.factories import (
    assign,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_quiz,
    create_submission,
    read_step,
)

BEFORE = [("classes", "0004_old_rules")]
FAR = datetime(2100, 1, 1, tzinfo=UTC)


def october(day, hour=20):
    zone = ZoneInfo("Europe/Vienna")
    return datetime(2025, 10, day, hour, tzinfo=zone).astimezone(UTC)


OPENS, DUE, LATE = october(1), october(25), october(26)
SOON, CLOSED = october(27), october(31)
FIRST_UPGRADE = october(29)  # to the rules that stood before these
SECOND_UPGRADE = october(31, 21)
QUIZZES = {
    "closed": {"closes_at": CLOSED},
    "running": {"closes_at": FAR},
    "no-end": {"late_percent_per_day": 1},
    "spent": {"late_percent_per_day": 50},
    "spent-running": {"late_percent_per_day": 50, "closes_at": FAR},
    "last-closed": {"counts": "last", "closes_at": CLOSED},
    "last-running": {"counts": "last", "closes_at": FAR},
    "no-due-date": {"due_at": None, "closes_at": FAR},
}
LESSONS = {"lesson-closed": CLOSED, "lesson-running": FAR}
NAMES = ("ada", "ben", "cy", "dan", "eve")
# Of each the points that the release before gave, and behind an arrow what is another mark now:
# work that can still earn something, late on the clock by one day less. Ben has later dates, Cy
# earlier ones and fewer attempts, Dan an own end; "-" is no mark.
POINTS = {
    "closed": "8 10 7 10 8",
    "running": "8>9 10 7>8 7 8>9",
    "no-end": "9.8>9.9 10 9.7>9.8 10 9.8>9.9",
    "spent": "0 10 0 10 0",
    "spent-running": "0 10 0 10 0",
    "last-closed": "4 5 3.5 4 8",
    "last-running": "4>4.5 5 3.5>4 4 8>9",
    "no-due-date": "10 10 7>8 10 10",
    # Of the exercise, by the end. The first was over when code that Python could not read began to
    # use up no attempt.
    "2025-10-27": "6 10 6 0 8",
    "2025-10-31": "8 10 6 0 8",
    "2100-01-01": "8>9 10 6 0 8",
    "lesson-closed": "5 10 0 - 5",
    "lesson-running": "5 10 - - 5",
    "archived": "8",
}


def a_scene():
    """A class with work of every kind, and an archived one; return both."""
    cohort, archived = create_class(), create_class("archived")
    dates = {"opens_at": OPENS, "due_at": DUE, "late_percent_per_day": 10}
    ada, ben, cy, dan, eve = people = [create_member(cohort, name) for name in NAMES]

    def own(member, assignment, **values):
        AssignmentException.objects.create(assignment=assignment, membership=member, **values)

    for name, more in QUIZZES.items():
        one = assign(cohort, create_quiz(name), **(dates | more))
        own(ben, one, due_at=october(28))
        own(cy, one, due_at=october(24), minutes=20, note="early")
        own(dan, one, closes_at=october(26, 12), opens_at=october(2))
        for member in people[:4]:
            create_attempt(one, member, 2, DUE if member == dan else LATE)
            if one.counts == "last":
                create_attempt(one, member, 1, LATE)
        create_attempt(one, eve, 2, LATE, deadline=LATE, written=False)  # the clock submitted it
        if name == "running":
            MarkOverride.objects.create(assignment=one, membership=dan, points=7, reason="-")
    code = ready_exercise()
    for member, at, verdict, passed, parsed in (
        (ada, october(20), "could_not_run", 0, False),
        (ada, october(21), "wrong", 3, True),
        (ada, LATE, "correct", 5, True),
        (ben, october(5), "correct", 5, True),
        (cy, october(21), "wrong", 3, True),
        (cy, LATE, "correct", 5, True),
        (dan, LATE, "correct", 5, True),
        (eve, october(1, 12), "wrong", 4, True),
    ):
        work = Assignment(exercise=code)
        create_submission(work, member, verdict, at, passed, parsed=parsed)
    for closes in (SOON, CLOSED, FAR):
        rules = {"attempts": 2, "exercise_counts": "cases", "closes_at": closes}
        one = assign(cohort, code, **(dates | rules))
        own(ben, one, opens_at=october(10))
        own(cy, one, attempts=1)
        own(dan, one, closes_at=october(26, 12))
        own(eve, one, opens_at=october(1, 8))
    for name, closes in LESSONS.items():
        lesson = create_lesson(name)
        one = assign(cohort, lesson, opens_at=OPENS, due_at=DUE, closes_at=closes)
        own(ben, one, due_at=october(28))
        own(cy, one, due_at=october(20))
        own(dan, one, is_excused=True)
        for member in people:
            read_step(member, lesson, "one", october(24))
            read_step(member, lesson, "two", LATE)
    old = assign(archived, create_quiz("archived"), closes_at=FAR, **dates)
    create_attempt(old, create_member(archived, "ada"), 2, LATE)
    archived.archived_at = FIRST_UPGRADE
    archived.save()
    Assignment.objects.filter(cohort=cohort).update(old_rules_until=FIRST_UPGRADE)
    Assignment.objects.filter(cohort=archived).update(old_rules_until=FAR)
    return cohort, archived


def marks_of(*classes):
    """Return by name or end of the work what each student has, in the order of NAMES."""
    found = {}
    for cohort in classes:
        for row in marks(cohort).members:
            for work, _, cell in row.cells:
                name = work.slug if work.exercise_id is None else str(work.closes_at.date())
                value = "-" if cell.value is None else f"{cell.value.normalize():f}"
                found.setdefault(name, []).append(value)
    return {name: " ".join(points) for name, points in found.items()}


def points_of(place):
    return {
        name: " ".join(one.split(">")[place] for one in points.split())
        for name, points in POINTS.items()
    }


@pytest.fixture
def before(transactional_db):
    """The classes as the release before left them: its tables, no newer column."""
    classes = a_scene()
    migrate(BEFORE)
    yield classes
    to_the_newest()


@pytest.mark.slow
@pytest.mark.both_databases(postgresql="soak")
def test_an_upgrade_moves_no_mark_of_old_work(before):
    to_the_newest()
    assert marks_of(*before) == points_of(0)  # today all of it is over, running or not
    # As if the upgrade had been a year ago: some could still earn points then.
    rows = Assignment.objects.filter(cohort=before[0])
    assert rows.update(elapsed_days_until=SECOND_UPGRADE) == len(POINTS) - 1
    assert marks_of(*before) == points_of(-1)
    assert not Assignment.objects.filter(elapsed_days_until=None).exists()
    assert assign(before[0], create_quiz("new")).elapsed_days_until is None
    below = AssignmentException.objects.filter(earlier_on_purpose=True)
    # Cy's dates and attempts, Dan's ends, Eve's opening, and Ben's date where the class has none.
    names = Counter(below.values_list("membership__name", flat=True))
    assert names == {"Cy": 13, "Dan": 11, "Eve": 3, "Ben": 1}
