"""Rows for tests: `create_member(create_class(), "bea")` is a student with an account.

Each function writes what the site itself would have written, and no more than that.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from quizzes.assessment.models import Attempt, Option, Question, QuestionVersion, Quiz, Response
from quizzes.assessment.models import QuizQuestion as Place
from quizzes.classes.assignments import save_assignment
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.classes.services import open_class
from quizzes.courses.models import Course, CourseStaff
from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.grader.judge.report import Report, Verdict
from quizzes.learners.models import INSTRUCTORS, Learner, Progress, User
from quizzes.lessons.models import Lesson, Step
from tests.courses import SLUG, some_course

BACKEND = "quizzes.learners.account_backends.AccountBackend"
DAY = timedelta(days=1)
MISTAKE = "sinusoidal-table/swap"
SENTENCE = "Sine and cosine are exchanged."


def create_account(
    name: str,
    *,
    role: str | None = None,
    course: str = SLUG,
    verified: bool | None = None,
    **facts: Any,
) -> User:
    """Create an account; with a role an instructor's, who has that role in the course.

    The role "" is that of an instructor without a course. `verified` stores the address as sign-up
    does: one that was only typed, or one whose link was followed.
    """
    user = User.objects.create_user(name, **facts)
    if verified is not None:
        address = {"email": user.email, "primary": True, "verified": verified}
        EmailAddress.objects.create(user=user, **address)
    if role is not None:
        user.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
    if role:
        CourseStaff.objects.create(course=some_course(course), user=user, role=role)
    return user


def create_superuser(name: str = "root", **facts: Any) -> User:
    return User.objects.create_superuser(name, **facts)


def browser_of(user: User) -> Client:
    """Return a browser in which an account is signed in."""
    browser = Client()
    browser.force_login(user, backend=BACKEND)
    return browser


def create_browser(name: str, **facts: Any) -> Client:
    """Create an account and return a browser in which it is signed in."""
    return browser_of(create_account(name, **facts))


def create_learner(name: str = "") -> Learner:
    """Create the learner of a new account with this name, or of a visitor without one."""
    return Learner.objects.create(user=create_account(name) if name else None)


def create_class(
    slug: str = "autumn",
    *,
    course: Course | None = None,
    by: User | None = None,
    zone: str = "Europe/Vienna",
) -> Cohort:
    """Create a class that began 30 days ago; `by` opens it as the page does, and teaches it."""
    today = timezone.now().date()
    facts: dict[str, Any] = {
        "course": course or some_course(),
        "slug": slug,
        "title": f"Class {slug}",
        "begins_on": today - 30 * DAY,
        "ends_on": date(today.year + 1, 12, 31),
    }
    if by is not None:
        return open_class(by=by, zone=zone, **facts)
    return Cohort.objects.create(timezone=zone, join_code=uuid4().hex[:8].upper(), **facts)


def create_member(
    cohort: Cohort,
    name: str = "ada",
    /,
    role: str = "student",
    *,
    state: str = "active",
    **facts: Any,
) -> Membership:
    """Create a place in a class; with an account and its learner unless it is only invited."""
    facts = {"cohort": cohort, "role": role, "state": state} | facts
    if state == "invited":
        return Membership.objects.create(**({"name": name, "login_id": name} | facts))
    user = User.objects.filter(username=name).first()
    if user is None:
        address = "" if "email" in facts else f"{name}@example.org"
        user = create_account(name, email=address)
        Learner.objects.create(user=user)
    facts = {"joined_at": timezone.now() - 30 * DAY, "name": name.title()} | facts
    return Membership.objects.create(user=user, **({"email": f"{name}@example.org"} | facts))


def create_members(
    cohort: Cohort, names: Iterable[str | int], *, section: str = ""
) -> list[Membership]:
    """Create students with accounts and learners, in four queries; m7 is the name of 7."""
    names = [name if isinstance(name, str) else f"m{name}" for name in names]
    users = User.objects.bulk_create(
        User(username=name, likeness=name, password="!") for name in names
    )
    Learner.objects.bulk_create(Learner(user=user) for user in users)
    Membership.objects.bulk_create(
        Membership(
            cohort=cohort,
            user=user,
            name=user.username,
            section=section,
            state="active",
            joined_at=timezone.now() - 30 * DAY,
        )
        for user in users
    )
    rows = Membership.objects.filter(cohort=cohort, user__in=users).order_by("pk")
    return list(rows.select_related("user__learner", "cohort"))


def create_question(slug: str = "row-zero", course: Course | None = None) -> Question:
    """Create a question with a key and a known mistake."""
    question = Question.objects.create(course=course or some_course(), slug=slug)
    question.current = QuestionVersion.objects.create(
        question=question, number=1, prompt=f"What of {slug}?", step="sinusoidal-values/the-formula"
    )
    question.save()
    create = Option.objects.create
    create(version=question.current, order=1, text="right", is_key=True, reason="It is.")
    create(version=question.current, order=2, text="wrong", reason=SENTENCE, mistake=MISTAKE)
    return question


def create_quiz(slug: str = "codes", questions: int | Sequence[Question] = 2) -> Quiz:
    """Create a quiz of these questions, or of so many new ones."""
    if isinstance(questions, int):
        questions = [create_question(f"{slug}-{order}") for order in range(1, questions + 1)]
    course = questions[0].course if questions else some_course()
    quiz = Quiz.objects.create(course=course, slug=slug, title=slug.capitalize())
    places = (Place(quiz=quiz, question=item, order=at) for at, item in enumerate(questions, 1))
    Place.objects.bulk_create(places)
    return quiz


def create_lesson(
    slug: str = "basics",
    steps: Iterable[str] = ("one", "two"),
    asks: dict[str, str] | None = None,
    deeper: Iterable[str] = (),
    **facts: Any,
) -> Lesson:
    """Create a lesson; `asks`: by step the question that stands in it.

    `deeper`: steps that go deeper, after the others.
    """
    facts = {"number": 1, "title": slug.capitalize(), "summary": "-"} | facts
    lesson = Lesson.objects.create(**({"course": some_course(), "slug": slug} | facts))
    beside = list(deeper)
    for number, step in enumerate([*steps, *beside], start=1):
        block = f"\n```question\nslug: {asks[step]}\n```\n" if asks and step in asks else ""
        Step.objects.create(
            lesson=lesson,
            slug=step,
            number=number,
            title=step.capitalize(),
            text=f"Words.\n{block}",
            reading_seconds=60,
            going_deeper=step in beside,
        )
    return lesson


def create_exercise(slug: str = "add", course: Course | None = None, **facts: Any) -> Exercise:
    """Create an exercise without files; `facts` are those of its version."""
    exercise = Exercise.objects.create(course=course or some_course(), slug=slug)
    version = {"number": 1, "content_hash": "x" * 64, "title": slug.capitalize(), "files": {}}
    exercise.current = ExerciseVersion.objects.create(
        exercise=exercise, **(version | {"outline": {}} | facts)
    )
    exercise.save()
    return exercise


def assign(cohort: Cohort, thing: Quiz | Exercise | Lesson, **facts: Any) -> Assignment:
    """Assign a quiz, an exercise or a lesson for ten points, open for ten days by now."""
    facts = {"opens_at": timezone.now() - 10 * DAY, "is_visible": True} | facts
    kind = type(thing).__name__.lower()
    assignment = Assignment(cohort=cohort, **({kind: thing, "points": Decimal(10)} | facts))
    save_assignment(assignment=assignment, by=None)
    return assignment


def create_attempt(
    assignment: Assignment,
    member: Membership,
    right: int,
    at: datetime,
    *,
    deadline: datetime | None = None,
    written: bool = True,
) -> Attempt:
    """Create an attempt with so many right answers, as the page leaves it."""
    attempt = Attempt.objects.create(
        learner=member.user.learner,
        quiz=assignment.quiz,
        sitting=assignment.sitting,
        deadline_at=deadline,
    )
    places = list(assignment.quiz.places.select_related("question__current").order_by("order"))
    for order, place in enumerate(places, start=1):
        version = place.question.current
        options = list(version.options.order_by("order"))
        choice = options[0] if order <= right else options[1]
        response = Response(
            attempt=attempt,
            order=order,
            version=version,
            option_order=[option.pk for option in options],
            choice=choice,
            answered_at=at,
            points=place.points,
        )
        response.mark(Decimal(choice.is_key))
        response.save()
    facts: dict[str, Any] = {"started_at": at - timedelta(minutes=5)}
    if written:
        points = sum(place.points for place in places)
        earned = sum(place.points for place in places[:right])
        facts |= {"submitted_at": at, "earned": earned, "possible": points, "ended_by": "learner"}
    Attempt.objects.filter(pk=attempt.pk).update(**facts)
    attempt.refresh_from_db()
    return attempt


def create_submission(
    work: Assignment | Exercise,
    who: Membership | Learner,
    verdict: str = "",
    at: datetime | None = None,
    passed: int = 0,
    total: int = 5,
    *,
    parsed: bool = True,
    **facts: Any,
) -> Submission:
    """Create a submission, graded unless the verdict is ""."""
    version = (work if isinstance(work, Exercise) else work.exercise).current
    at = at or timezone.now()
    if verdict:
        counts = {} if verdict == "not_graded" else {"cases_passed": passed, "cases_total": total}
        facts = {
            "verdict": verdict,
            "graded_at": at,
            "report": Report(Verdict(verdict), parsed=parsed).as_json(),
            "pack": version.packs.first() or version.packs.create(seed=1, data=b""),
            "tries_used": 1,
            "parsed": parsed,
            **counts,
            **facts,
        }
    facts = {"kind": "submit", "code": "print(1)", "submitted_at": at} | facts
    learner = who if isinstance(who, Learner) else who.user.learner
    return Submission.objects.create(exercise_version=version, learner=learner, **facts)


def read_step(member: Membership, lesson: Lesson, step: str, at: datetime) -> None:
    """Mark a step as read by a member."""
    Progress.objects.create(
        learner=member.user.learner,
        course=lesson.course,
        kind="step",
        slug=f"{lesson.slug}/{step}",
        state="done",
        done_at=at,
    )
