"""A class of two hundred with two weeks of work, for newcomers and for tests.

The same seed gives the same people, answers and verdicts; times count back from now. Attempts are
taken by the services that pages use, and then moved into the past. Code is that of the exercise's
own files, with the verdict that its verification found for it; a worker grades a mistake of seven
students that none of these files makes, and the newest code of each known mistake (`submissions`).

There is no transaction around the whole: SQLite lets one connection write at a time, and a running
site could not. What was made is removed if the rest fails.

`manage.py demo_class` makes one at once. On a new development site, `prepare_site` only begins it,
and a worker fills it once the first exercises are verified. Its instructor joins last, so nobody
teaches half a class, and until then its row says that it is being filled. A worker that is killed
or fails leaves people: the next try removes them and begins again.

A worker fills it while nothing waits to be graded. Without a pause, the class doubled the time to a
Check's verdict, since both run in one interpreter; and a hundred old submissions put into the queue
at once, for their pictures, kept a Check waiting for 16 s.
"""

import logging
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction
from django.utils import timezone

from quizzes.classes.demo.pauses import let_others_write, rest_while_code_waits
from quizzes.classes.demo.students import add_students, delete_people, user_name
from quizzes.classes.demo.submissions import (
    grade_newest_again,
    own_submissions,
    submit_unnamed_mistake,
)
from quizzes.classes.demo.work import ASSIGNED, DAY, assign_work, take_quiz
from quizzes.classes.join_codes import new_code
from quizzes.classes.messages import announce, comment_on
from quizzes.classes.models import Cohort, Membership
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.learners.models import INSTRUCTORS, User

PEOPLE = 200
MOST_WAIT_SECONDS = 30.0  # for that in all: nobody may be grading
SUBMISSIONS_AT_ONCE = 100
# For the first exercises to be verified: without a sandbox none will be, and quizzes must do.
PATIENCE = timedelta(minutes=5)
TRIED_FOR = timedelta(minutes=15)  # once a class was begun: an error may pass

logger = logging.getLogger(__name__)


class DemoError(Exception):
    """The class cannot be made; the message says why."""


@dataclass(frozen=True)
class DemoClass:
    """What was made."""

    cohort: Cohort
    students: int
    attempts: int
    submissions: int


def make_demo_class(
    *, course: Course, by: User, slug: str, people: int = PEOPLE, seed: int = 1
) -> DemoClass:
    """Make a class with its people, three assignments and two weeks of work.

    Raises DemoError; nothing of the class is left then.
    """
    if Cohort.objects.filter(slug=slug).exists():
        raise DemoError(f"there is already a class {slug}: choose another name")
    return _filled(_empty_class(course, slug), by, people, seed)


def begin_demo_class(*, course: Course) -> bool:
    """Leave a class to the workers, where the site has none; return whether it had none."""
    if Cohort.objects.exists():
        return False
    _empty_class(course, "demo", is_being_filled=True)
    return True


def fill_waiting_class() -> bool:
    """Fill the class that was left to the workers, once its course is ready; say there is no more.

    Raises what went wrong; the next call begins again. A class that is old by then is given up.
    """
    cohort = Cohort.objects.filter(is_being_filled=True).select_related("course").first()
    if cohort is None or not _is_ready(cohort):
        return False
    cohort = _emptied(cohort)
    by = User.objects.filter(is_demo=True, groups__name=INSTRUCTORS).order_by("pk").first()
    if by is None:
        cohort.delete()
        logger.warning("the demo class was not created: there is no demo instructor")
        return False
    try:
        filled = _filled(cohort, by, PEOPLE, rest=rest_while_code_waits(seconds=MOST_WAIT_SECONDS))
    except Exception:
        if cohort.made_at > timezone.now() - TRIED_FOR:
            raise
        _emptied(cohort).delete()
        logger.exception(
            "the demo class could not be finished and was removed; manage.py demo_class creates one"
        )
        return False
    logger.info("the demo class is ready: %s students; %s teaches it", filled.students, by.username)
    return False


def forget_begun_class() -> None:
    """Remove a class that was left to the workers, with what they have made up of it."""
    for cohort in Cohort.objects.filter(is_being_filled=True).select_related("course"):
        _emptied(cohort).delete()


def _is_ready(cohort: Cohort) -> bool:
    """Say whether the exercises that come first in the course are verified, or that takes long."""
    first = Exercise.objects.filter(course=cohort.course, current__isnull=False, withdrawn_at=None)
    states = first.order_by("place", "pk").values_list("current__verification", flat=True)
    is_waiting = ExerciseVersion.Verification.WAITING in list(states[:ASSIGNED])
    return not is_waiting or cohort.made_at < timezone.now() - PATIENCE


def _emptied(cohort: Cohort) -> Cohort:
    """Return the class as it was begun, without what a try left that was killed or failed."""
    with transaction.atomic():
        cohort.delete()
        empty = _empty_class(cohort.course, cohort.slug, is_being_filled=True)
        empty.made_at = cohort.made_at
        empty.save(update_fields=["made_at"])
    left = User.objects.filter(
        username__in=[user_name(empty, place) for place in range(1, PEOPLE + 1)],
        password__startswith=UNUSABLE_PASSWORD_PREFIX,
        last_login=None,
    )
    delete_people(list(left.values_list("pk", flat=True)))
    return empty


def _filled(
    cohort: Cohort,
    by: User,
    people: int,
    seed: int = 1,
    *,
    rest: Callable[[], None] = let_others_write,
) -> DemoClass:
    """Make up the people of an empty class and their work, then let `by` teach it.

    `rest` is called after each piece of work.
    """
    draw = random.Random(seed)  # noqa: S311 -- no secret is drawn
    joined = timezone.now() - 15 * DAY
    members: list[Membership] = []
    with _taken_away_on_failure(cohort, members):
        members += add_students(cohort, draw, people, joined)
        filled = _with_work(cohort, by, members, draw, rest)
        if cohort.is_being_filled:  # while it can still be begun again: a worker may be stopped
            grade_newest_again(cohort, rest=rest)
        with transaction.atomic():
            Membership.objects.create(
                cohort=cohort, user=by, role="instructor", state="active", joined_at=joined
            )
            cohort.is_being_filled = False
            cohort.save(update_fields=["is_being_filled"])
    return filled


def _empty_class(course: Course, slug: str, *, is_being_filled: bool = False) -> Cohort:
    now = timezone.now()
    return Cohort.objects.create(
        course=course,
        slug=slug,
        title="Demo class",
        begins_on=(now - 14 * DAY).date(),
        ends_on=(now + 90 * DAY).date(),
        timezone="Europe/Vienna",
        join_code=new_code(),
        is_being_filled=is_being_filled,
    )


@contextmanager
def _taken_away_on_failure(cohort: Cohort, members: Sequence[Membership]) -> Iterator[None]:
    """Take a class and these made-up members away if it cannot be finished, or is interrupted.

    One that was left to the workers stays begun: they try again.
    """
    is_left_to_workers = cohort.is_being_filled
    try:
        yield
    except BaseException as error:
        if is_left_to_workers:
            raise
        _take_away(cohort, [member.user_id for member in members if member.user_id])
        if not isinstance(error, Exception):
            raise
        raise DemoError(
            f"the class {cohort.slug} could not be finished, and was removed again:"
            f" {type(error).__name__}: {error}"
        ) from error


def _take_away(cohort: Cohort, users: Sequence[int]) -> None:
    """Delete a class and these accounts with their work, a few at a time.

    The accounts are named by key: a real person may have joined the class meanwhile.
    """
    cohort.delete()
    delete_people(users)


def _with_work(
    cohort: Cohort,
    by: User,
    members: Sequence[Membership],
    draw: random.Random,
    rest: Callable[[], None],
) -> DemoClass:
    made = assign_work(cohort, by, timezone.now())
    attempts = sum(take_quiz(work, members, draw, rest) for work in made if work.quiz)
    coding = [work for work in made if work.exercise]
    submissions = [row for work in coding for row in own_submissions(work, members, draw)]
    for start in range(0, len(submissions), SUBMISSIONS_AT_ONCE):
        Submission.objects.bulk_create(submissions[start : start + SUBMISSIONS_AT_ONCE])
        rest()
    announce(
        cohort=cohort,
        by=by,
        title="Welcome",
        text="This class is made up, with its people and their work.",
    )
    for row in [row for row in submissions if row.known_mistake][:3]:
        comment_on(submission=row, cohort=cohort, by=by, line=1, text="Which axis is this?")
    unnamed = submit_unnamed_mistake(coding, members, rest)
    return DemoClass(cohort, len(members), attempts, len(submissions) + unnamed)
