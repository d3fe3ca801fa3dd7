"""A class with a quiz, an exercise and a lesson, and what its members hand in."""

from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.assessment.models import Attempt, Quiz, QuizQuestion, Response
from quizzes.classes.assignments import save_assignment
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.exercises.models import Submission
from quizzes.grader.judge.report import Report, Verdict
from quizzes.learners.models import Learner, Progress, User
from quizzes.lessons.models import Lesson, Step
from tests.courses import some_course
from tests.exercises.making import ready_exercise
from tests.study.questions import fixed_question

DAY = timedelta(days=1)


def a_class(slug="autumn", zone="Europe/Vienna", course=None):
    today = timezone.now().date()
    return Cohort.objects.create(
        course=course or some_course(),
        slug=slug,
        title=f"Class {slug}",
        begins_on=today - timedelta(days=30),
        ends_on=date(today.year + 1, 12, 31),
        timezone=zone,
        join_code=uuid4().hex[:8].upper(),
    )


def a_member(cohort, name="ada", role="student", **more):
    """An account with a place in a class, and its learner."""
    user = User.objects.filter(username=name).first()
    if user is None:
        user = User.objects.create_user(name, f"{name}@example.org", "pass-word-1")
        Learner.objects.create(user=user)
    facts = {"joined_at": timezone.now() - 30 * DAY, "state": "active", "name": name.title()}
    return Membership.objects.create(
        cohort=cohort, user=user, role=role, email=user.email, **(facts | more)
    )


def many_members(cohort, numbers):
    """Students with accounts and learners, in four queries for all of them."""
    names = [f"m{number}" for number in numbers]
    User.objects.bulk_create(User(username=name, likeness=name, password="!") for name in names)
    users = list(User.objects.filter(username__in=names).order_by("pk"))
    Learner.objects.bulk_create(Learner(user=user) for user in users)
    Membership.objects.bulk_create(
        Membership(
            cohort=cohort,
            user=user,
            name=user.username,
            state="active",
            joined_at=timezone.now() - 30 * DAY,
        )
        for user in users
    )
    rows = Membership.objects.filter(cohort=cohort, user__in=users).order_by("pk")
    return list(rows.select_related("user__learner", "cohort"))


def a_quiz(slug="codes", questions=2):
    quiz = Quiz.objects.create(course=some_course(), slug=slug, title=slug.capitalize())
    for order in range(1, questions + 1):
        question = fixed_question(f"{slug}-{order}")
        QuizQuestion.objects.create(quiz=quiz, question=question, order=order)
    return quiz


def a_lesson(slug="basics", steps=("one", "two"), asks=None):
    lesson = Lesson.objects.create(
        course=some_course(), slug=slug, number=1, title=slug.capitalize(), summary="-"
    )
    for number, step in enumerate(steps, start=1):
        text = "Words.\n"
        if asks and step in asks:
            text += f"\n```question\nslug: {asks[step]}\n```\n"
        Step.objects.create(
            lesson=lesson, slug=step, number=number, title=step, text=text, reading_seconds=60
        )
    return lesson


def assign(cohort, thing, **more):
    now = timezone.now()
    facts = {"points": Decimal(10), "opens_at": now - 10 * DAY, "is_visible": True} | more
    kind = type(thing).__name__.lower()
    made = Assignment(cohort=cohort, **{kind: thing}, **facts)
    save_assignment(assignment=made, by=None)
    return made


def attempted(assignment, member, right, at, *, deadline=None, written=True):
    """An attempt with so many right answers, as the page leaves it."""
    learner = member.user.learner
    attempt = Attempt.objects.create(
        learner=learner, quiz=assignment.quiz, sitting=assignment.sitting, deadline_at=deadline
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
            option_order=[one.pk for one in options],
            choice=choice,
            answered_at=at,
            points=place.points,
        )
        response.mark(Decimal(choice.is_key))
        response.save()
    facts = {"started_at": at - timedelta(minutes=5)}
    if written:
        points = sum(place.points for place in places)
        earned = sum(place.points for place in places[:right])
        facts |= {"submitted_at": at, "earned": earned, "possible": points, "ended_by": "learner"}
    Attempt.objects.filter(pk=attempt.pk).update(**facts)
    attempt.refresh_from_db()
    return attempt


def submitted_code(assignment, member, verdict, at, passed=0, total=5, *, parsed=True):
    exercise = assignment.exercise
    facts = {}
    if verdict:
        report = Report(Verdict(verdict), parsed=parsed)
        facts = {
            "verdict": verdict,
            "graded_at": at,
            "report": report.as_json(),
            "pack": exercise.current.packs.first(),
            "tries_used": 1,
            "parsed": parsed,
        }
        if verdict != "not_graded":
            facts |= {"cases_passed": passed, "cases_total": total}
    return Submission.objects.create(
        exercise_version=exercise.current,
        learner=member.user.learner,
        kind="submit",
        code="print(1)",
        submitted_at=at,
        **facts,
    )


def read_step(member, lesson, step, at):
    Progress.objects.create(
        learner=member.user.learner,
        course=lesson.course,
        kind="step",
        slug=f"{lesson.slug}/{step}",
        state="done",
        done_at=at,
    )


def an_exercise():
    return ready_exercise()


def count_queries(browser, page):
    """Return how many queries a page takes that was asked for before."""
    browser.get(page)
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(page).status_code == 200
    return len(captured)
