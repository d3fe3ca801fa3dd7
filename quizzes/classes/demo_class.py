"""A class of two hundred with two weeks of work, for newcomers and for tests.

The same seed gives the same people, answers and verdicts; times count back from now. Attempts are
taken by the services that pages use, and then moved into the past. Code is that of the exercise's
own files, with the verdict that its verification found for it, so no worker is needed.

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
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from quizzes.assessment.models import Attempt, Quiz, Response
from quizzes.assessment.numeric_answer import NumericAnswer
from quizzes.assessment.services import Answer, answer_of, start_attempt, submit_attempt
from quizzes.classes.access import submissions_seen
from quizzes.classes.assignments import questions_without_numbers, save_assignment
from quizzes.classes.join_codes import new_code
from quizzes.classes.messages import announce, comment_on
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.courses.models import Course
from quizzes.exercises.case_pack_pool import can_be_graded
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion, Submission
from quizzes.exercises.services import grade_again
from quizzes.grader.api import Verdict
from quizzes.grader.judge import KnownMistake, Report
from quizzes.learners.models import INSTRUCTORS, Learner, User

FIRST = (
    "Ada Alan Amara Anna Bao Beatriz Björn Carla Chidi Chloé Daniel Dmitri Elif Emma Farid Fatima "
    "Grace Hana Hugo Ingrid Ivan Jana João Kenji Lena Liam Lucía Mei Mira Noah Nora Olga Omar "
    "Priya Quentin Rosa Sara Seán Sofía Tariq Uma Viktor Wanjiru Yara Yusuf Zoë"
)
LAST = (
    "Adeyemi Ahmed Bauer Costa Černý Dubois Eriksson Fischer García Gruber Haddad Hoffmann Ito "
    "Ivanova Jensen Kaya Kim Kowalski Lindqvist Mbeki Moreau Müller Nakamura Novák Nguyen O'Brien "
    "Okafor Papadopoulos Petrov Rossi Schmidt Sharma Silva Suzuki Tanaka Varga Wagner Wang Yılmaz"
)
SECTIONS = ("Monday", "Tuesday", "Thursday")
DAY = timedelta(days=1)
PEOPLE = 200
PAUSE_SECONDS = 0.01  # after each attempt: a writer that waits for SQLite tries ten times a second
LOOK_SECONDS = 0.05  # between two looks whether code still waits to be graded
MOST_WAIT_SECONDS = 30.0  # for that in all: nobody may be grading
SUBMISSIONS_AT_ONCE = 100
PEOPLE_AT_ONCE = 20  # taken away, each with all their work
ASSIGNED = 2  # quizzes, and as many exercises
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


def _let_others_write() -> None:
    time.sleep(PAUSE_SECONDS)


def rest_while_code_waits(*, seconds: float) -> Callable[[], None]:
    """Return a pause between two pieces of work. All pauses wait for code these seconds in all.

    For quick code that workers can grade: an endless loop or a refused exercise holds up no class.
    """

    def rest() -> None:
        nonlocal seconds
        _let_others_write()
        began = time.monotonic()
        while seconds > time.monotonic() - began and _is_code_waiting():
            time.sleep(LOOK_SECONDS)
        seconds -= time.monotonic() - began

    return rest


def _is_code_waiting() -> bool:
    rows = Submission.objects.ungraded().filter(can_be_graded(), slow=False).order_by()
    return rows.verified().exists()


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
        username__in=[_user_name(empty, place) for place in range(1, PEOPLE + 1)],
        password__startswith=UNUSABLE_PASSWORD_PREFIX,
        last_login=None,
    )
    _delete_people(list(left.values_list("pk", flat=True)))
    return empty


def _user_name(cohort: Cohort, place: int) -> str:
    return f"{cohort.slug}-{place:03}"


def _filled(
    cohort: Cohort,
    by: User,
    people: int,
    seed: int = 1,
    *,
    rest: Callable[[], None] = _let_others_write,
) -> DemoClass:
    """Make up the people of an empty class and their work, then let `by` teach it.

    `rest` is called after each piece of work.
    """
    draw = random.Random(seed)  # noqa: S311 -- no secret is drawn
    joined = timezone.now() - 15 * DAY
    members: list[Membership] = []
    with _taken_away_on_failure(cohort, members):
        members += _people(cohort, draw, people, joined)
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


def grade_newest_again(cohort: Cohort, *, rest: Callable[[], None] | None = None) -> int:
    """Leave the newest code of each known mistake to the workers; return how much that is.

    With `rest`, which is called before each, one after the other.

    The pictures of what code gives come from grading, and This week shows those of the newest.
    """
    made = submissions_seen(cohort).exclude(known_mistake="").order_by("submitted_at", "pk")
    newest = {(row.exercise_version_id, row.known_mistake): row for row in made}
    count = 0
    for row in newest.values():
        if rest:
            rest()
        count += grade_again(submission=row)
    return count


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
        _take_away(cohort, [one.user_id for one in members if one.user_id is not None])
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
    _delete_people(users)


def _delete_people(users: Sequence[int]) -> None:
    for start in range(0, len(users), PEOPLE_AT_ONCE):
        some = users[start : start + PEOPLE_AT_ONCE]
        with transaction.atomic():
            Learner.objects.filter(user__in=some).delete()
            User.objects.filter(pk__in=some).delete()


def _with_work(
    cohort: Cohort,
    by: User,
    members: Sequence[Membership],
    draw: random.Random,
    rest: Callable[[], None],
) -> DemoClass:
    made = _assignments(cohort, by, timezone.now())
    attempts = sum(_take(work, members, draw, rest) for work in made if work.quiz)
    coding = [work for work in made if work.exercise]
    submissions = [row for work in coding for row in _hand_in(work, members, draw)]
    for start in range(0, len(submissions), SUBMISSIONS_AT_ONCE):
        Submission.objects.bulk_create(submissions[start : start + SUBMISSIONS_AT_ONCE])
        rest()
    announce(
        cohort=cohort,
        by=by,
        title="Welcome",
        text="This class is made up, with its people and their work.",
    )
    for row in [one for one in submissions if one.known_mistake][:3]:
        comment_on(submission=row, cohort=cohort, by=by, line=1, text="Which axis is this?")
    return DemoClass(cohort, len(members), attempts, len(submissions))


@transaction.atomic
def _people(cohort: Cohort, draw: random.Random, number: int, joined: datetime) -> list[Membership]:
    first, last = FIRST.split(), LAST.split()
    users, rows = [], []
    for place in range(1, number + 1):
        name = f"{draw.choice(first)} {draw.choice(last)}"
        user = User(username=_user_name(cohort, place), is_active=True)
        user.first_name, _, user.last_name = name.partition(" ")
        user.set_unusable_password()
        users.append(user)
        rows.append((name, draw.choice(SECTIONS), 50 if draw.random() < 0.03 else 0))
    for user in users:
        user.save()
    Learner.objects.bulk_create([Learner(user=user) for user in users], batch_size=200)
    members = [
        Membership(
            cohort=cohort,
            user=user,
            name=name,
            email=f"{user.username}@uni.example",
            external_id=f"{place:08}",
            login_id=user.username,
            section=section,
            extra_time_percent=extra,
            state="active",
            joined_at=joined,
        )
        for place, (user, (name, section, extra)) in enumerate(zip(users, rows, strict=True), 1)
    ]
    return Membership.objects.bulk_create(members, batch_size=200)


def _assignments(cohort: Cohort, by: User, now: datetime) -> list[Assignment]:
    """Assign the first quizzes and exercises of the course: one past, one due, one to come."""
    zone = ZoneInfo(cohort.timezone)
    midnight = now.astimezone(zone).replace(hour=23, minute=59, second=0, microsecond=0)
    # Drawn numbers are made by a worker, which may not have run yet.
    open_ones = (
        Quiz.objects.open().filter(course=cohort.course, class_only=False).order_by("place", "pk")
    )
    quizzes = [quiz for quiz in open_ones if not questions_without_numbers(quiz.pk)][:ASSIGNED]
    # Code has the verdict of its verification, and a test set, which a worker makes after it.
    ready = CasePack.objects.filter(version=OuterRef("current"))
    exercises = Exercise.objects.filter(
        Exists(ready), course=cohort.course, withdrawn_at=None
    ).order_by("place", "pk")[:ASSIGNED]
    made = []
    for place, thing in enumerate([*quizzes, *exercises], 1):
        week = timedelta(weeks=place % 2)
        assignment = Assignment(
            cohort=cohort,
            points=Decimal(10),
            opens_at=midnight - 14 * DAY,
            due_at=midnight - 7 * DAY + week,
            closes_at=midnight + week,
            late_percent_per_day=10,
            attempts=2 if isinstance(thing, Quiz) else None,
            shows_answers=Assignment.ShowsWhen.AFTER_CLOSE,
            practice=Assignment.Practice.AFTER_CLOSE,
            is_visible=True,
            place=place,
            quiz=thing if isinstance(thing, Quiz) else None,
            exercise=thing if isinstance(thing, Exercise) else None,
        )
        save_assignment(assignment=assignment, by=by)
        made.append(assignment)
    return made


def _when(assignment: Assignment, draw: random.Random) -> datetime:
    """Return a moment within the window, most of them late in it, none in the future."""
    end = min(assignment.closes_at or timezone.now(), timezone.now())
    share = draw.random() ** 0.5
    moment: datetime = assignment.opens_at + (end - assignment.opens_at) * share
    return moment


def _take(
    assignment: Assignment,
    members: Iterable[Membership],
    draw: random.Random,
    rest: Callable[[], None],
) -> int:
    """Let four in five take the quiz, each as good as they are; return how many attempts."""
    made = 0
    assert assignment.quiz is not None
    for member in members:
        skill = draw.random()
        if skill < 0.2:
            continue
        learner = Learner.objects.get(user=member.user_id)
        at = _when(assignment, draw)
        attempt = start_attempt(learner=learner, quiz=assignment.quiz, sitting=assignment.sitting)
        submit_attempt(attempt=attempt, choices=_answers(attempt, skill, draw))
        Attempt.objects.filter(pk=attempt.pk).update(
            started_at=at - timedelta(minutes=8), submitted_at=at
        )
        Response.objects.filter(attempt=attempt, answered_at__isnull=False).update(answered_at=at)
        made += 1
        rest()
    return made


def _answers(attempt: Attempt, skill: float, draw: random.Random) -> dict[int, Answer]:
    """Give the right option or number as often as this skill says; other kinds stay blank."""
    chosen: dict[int, Answer] = {}
    asked = attempt.responses.select_related("version", "instance")
    for row in asked.prefetch_related("version__options"):
        if number := answer_of(row):
            chosen[row.pk] = _number(number, draw, is_right=draw.random() < skill)
            continue
        options = [one for one in row.version.options.all() if one.pk in row.option_order]
        if not options or row.version.kind != "single":
            continue
        right = [one for one in options if one.is_key]
        wrong = [one for one in options if not one.is_key]
        pick = right if draw.random() < skill else wrong
        chosen[row.pk] = draw.choice(pick or options).pk
    return chosen


def _number(answer: NumericAnswer, draw: random.Random, *, is_right: bool) -> str:
    """Return a typed answer: the right number, that of a known mistake, or another one."""
    if is_right:
        return repr(answer.value)
    return repr(draw.choice([one.value for one in answer.near] or [2 * answer.value + 1]))


def _hand_in(
    assignment: Assignment, members: Iterable[Membership], draw: random.Random
) -> Iterable[Submission]:
    """Yield what members submitted: some of the exercise's wrong solutions, then the right one."""
    assert assignment.exercise is not None
    version = assignment.exercise.current
    pack = version.packs.filter(is_reserved=False).first() if version else None
    if version is None or pack is None:
        return  # it was never verified, so nobody could have submitted anything
    variants = version.definition.wrong
    wrong = sorted(f"wrong/{one}.py" for one in variants if variants[one].kind == "mistake")
    learners: dict[int | None, int] = dict(
        Learner.objects.filter(user__in=[one.user_id for one in members]).values_list("user", "pk")
    )
    for member in members:
        skill = draw.random()
        if skill < 0.25:
            continue
        at = _when(assignment, draw)
        names = [draw.choice(wrong) for _ in range(draw.randint(0, 3)) if wrong]
        names += ["reference.py"] * (skill > 0.45 or not names)
        for place, name in enumerate(names):
            is_right, total = name == "reference.py", 10
            passed = total if is_right else draw.randint(1, total - 1)
            slug = name.removeprefix("wrong/").removesuffix(".py")
            mistake = None if is_right else _mistake(version, slug)
            verdict = Verdict.CORRECT if is_right else Verdict.KNOWN_MISTAKE
            report = Report(verdict, known_mistake=mistake, cases_passed=passed, cases_total=total)
            sent = at - timedelta(minutes=20 * (len(names) - place))
            yield Submission(
                exercise_version=version,
                learner_id=learners[member.user_id],
                kind=Submission.Kind.SUBMIT,
                key=uuid.UUID(int=draw.getrandbits(128), version=4),
                code=version.files[name],
                submitted_at=sent,
                graded_at=sent + timedelta(seconds=1),
                verdict=verdict.value,
                report=report.as_json(),
                known_mistake=mistake.slug if mistake else "",
                cases_passed=passed,
                cases_total=total,
                pack=pack,
                tries_used=1,
            )


def _mistake(version: ExerciseVersion, slug: str) -> KnownMistake:
    variant = version.definition.wrong[slug]
    return KnownMistake(slug, variant.kind, variant.sentence, variant.step, variant.breaks)
