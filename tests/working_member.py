"""A learner with work in the shipped course, and the same learner as a member of a class.

For counts of queries, for the benchmark of pages and for everything that a page of a class's member
costs. The course must be loaded; the clock is not moved, so two at once see the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.utils import timezone

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.services import start_attempt, submit_attempt
from quizzes.classes.assignments import questions_without_numbers
from quizzes.classes.messages import announce, comment_on
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.exercises.publishing import accept, lease_unverified
from quizzes.learners.models import Learner, ReviewCard, User
from quizzes.lessons.models import Lesson, Step
from tests.factories import (
    DAY,
    assign,
    create_account,
    create_class,
    create_submission,
)
from tests.shipped_course import load_once, load_shipped_course
from tests.site.page_kinds import (
    COURSE,
    EXERCISE,
    KINDS,
    MEMBER,
    NEWCOMER,
    READER,
    SHORT_LESSON,
    SOLVED,
)

STEPS_READ = 30
OWN_PAGES = {  # which `KINDS` does not have, or has for somebody else
    "class list": "/class/",
    "lesson of a class": f"{COURSE}/learn/{SHORT_LESSON}/compared/",
    "second card": f"{COURSE}/deep-dive/4/",
    "drawing explorer": "/explore/?enc=sinusoidal/heatmap&a.d_model=50",
}


@dataclass(frozen=True)
class Work:
    """Whose work it is, with the addresses of what pages show of it, by the kind of page."""

    course: Course
    user: User
    learner: Learner
    addresses: dict[str, str]


def verify_exercises() -> None:
    """Note every exercise as verified, without a sandbox: a case shows each known mistake."""
    case = {"probe": "call", "raises": False, "passed_by": []}
    while version := lease_unverified():
        proof = {"variants": [{"slug": name} for name in version.definition.wrong], "cases": [case]}
        outline = {"shown": [], "hidden": 6}
        accept(version=version, seed=1, data=b"", outline=outline, proof=proof)


def load_verified_course() -> None:
    """Load the shipped course, with its exercises verified, into the empty tables."""

    def load() -> None:
        load_shipped_course()
        verify_exercises()

    load_once("verified", load)


def create_reader(name: str, course: Course) -> Work:
    """Create an account that has read steps, submitted a quiz, begun one and sent code.

    Its cards are due tomorrow.
    """
    user = create_account(name)
    learner = Learner.objects.create(user=user)
    rows = Step.objects.filter(lesson__course=course).select_related("lesson")
    for step in rows.order_by("lesson__number", "number")[:STEPS_READ]:
        _read(learner, step)
    for step in rows.filter(lesson__slug=SHORT_LESSON):
        _read(learner, step)
    first, _, second = quizzes_without_numbers(course)[:3]
    taken = _take(learner, first)
    begun = start_attempt(learner=learner, quiz=second)
    wrong = create_submission(
        _exercise(course, EXERCISE),
        learner,
        "known_mistake",
        known_mistake="swap",
        passed=2,
    )
    right = create_submission(_exercise(course, SOLVED), learner, "correct", passed=5)
    for slug, state in ((EXERCISE, "shaky"), (SOLVED, "done")):
        learner.progress.create(course=course, kind="exercise", slug=slug, state=state)
    addresses = {
        "quiz review": f"{taken.get_absolute_url()}review/",
        "attempt": begun.get_absolute_url(),
        "submission with a mistake": wrong.get_absolute_url(),
        "submission solved": right.get_absolute_url(),
    }
    return Work(course, user, learner, addresses)


def create_working_member(name: str, course: Course) -> Work:
    """Create the same as a member of a class with four assignments, all with work.

    The answers of a quiz that was submitted stay hidden until it closes; another one is closed. An
    announcement and a comment are unread.
    """
    work = create_reader(name, course)
    staff = create_account(f"staff-of-{name}", role="")
    cohort = create_class(f"class-of-{name}", course=course, by=staff)
    cohort.memberships.create(
        user=work.user, name=name, state="active", joined_at=timezone.now() - 20 * DAY
    )
    taken, closed, _ = quizzes_without_numbers(course)[:3]
    now = timezone.now()
    after_close = {"shows_answers": "after_close", "practice": "after_close"}
    hidden = assign(cohort, taken, due_at=now + DAY, closes_at=now + 2 * DAY, **after_close)
    Attempt.objects.filter(learner=work.learner, quiz=taken).update(sitting=hidden.sitting)
    over = assign(cohort, closed, **after_close, closes_at=now + DAY)
    _take(work.learner, closed, over.sitting)
    over.closes_at = now - timedelta(hours=1)
    over.save()
    assign(cohort, _exercise(course, EXERCISE), due_at=now + 3 * DAY, closes_at=now + 4 * DAY)
    assign(cohort, Lesson.objects.get(course=course, slug=SHORT_LESSON), due_at=now + 3 * DAY)
    announce(cohort=cohort, by=staff, title="Welcome", text="Begin with the short lesson.")
    row = work.learner.submissions.order_by("pk").first()
    comment_on(submission=row, cohort=cohort, by=staff, line=1, text="Which axis is this?")
    of_class = {"class of a learner": f"/class/{cohort.slug}/"}
    return replace(work, addresses=work.addresses | of_class)


def let_cards_fall_due(learner: Learner) -> None:
    """Let all cards of a learner be due."""
    ReviewCard.objects.filter(learner=learner).update(due_at=timezone.now() - DAY)


def pages_of(work: Work) -> dict[str, str]:
    """Return the address of each kind of page that a learner has, by its name."""
    readers = {NEWCOMER, READER, MEMBER}
    kinds = {kind.name: kind.address for kind in KINDS if kind.reader in readers}
    pages: dict[str, str] = {}
    for name, address in (kinds | OWN_PAGES | work.addresses).items():
        if "{" not in address and address not in pages.values():
            pages[name] = address
    return pages


def quizzes_without_numbers(course: Course) -> Sequence[Quiz]:
    """Return the quizzes of a course that can be taken where no worker has drawn numbers."""
    rows = Quiz.objects.open().filter(course=course, class_only=False).order_by("pk")
    return [quiz for quiz in rows if not questions_without_numbers(quiz.pk)]


def _exercise(course: Course, slug: str) -> Exercise:
    return Exercise.objects.select_related("current").get(course=course, slug=slug)


def _read(learner: Learner, step: Step) -> None:
    path = f"{step.lesson.slug}/{step.slug}"
    learner.progress.update_or_create(
        course=step.lesson.course, kind="step", slug=path, defaults={"state": "done"}
    )


def _take(learner: Learner, quiz: Quiz, sitting: int | None = None) -> Attempt:
    """Submit an attempt with the first option of each question, so that some are wrong."""
    attempt = start_attempt(learner=learner, quiz=quiz, sitting=sitting)
    rows = attempt.responses.select_related("version")
    chosen = {row.pk: row.option_order[0] for row in rows if row.version.kind == "single"}
    submit_attempt(attempt=attempt, choices=chosen)
    return attempt
