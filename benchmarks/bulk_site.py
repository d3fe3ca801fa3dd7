"""A class and a large site around it, whose rows are made in bulk, for programs that measure pages.

Quizzes, exercises and lessons are of a course of their own, and alike; all rows are spread evenly.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

QUIZZES, QUESTIONS, ATTEMPTS, EXERCISES, SUBMITS, LESSONS = 10, 10, 3, 8, 10, 2
AT_ONCE = 5000
REPORT = {"verdict": "wrong", "stdout": "x" * 6000}  # as long as reports are
SHORT_REPORT = {"verdict": "wrong"}


@dataclass
class Sizes:
    """How many of each."""

    members: int = 200
    large: int = 2000
    learners: int = 10_000
    responses: int = 200_000
    submissions: int = 100_000


QUICK = Sizes(members=30, large=300, learners=1000, responses=20_000, submissions=10_000)


def _bulk(model: Any, rows: Iterator[Any]) -> list[Any]:
    return model.objects.bulk_create(rows, batch_size=AT_ONCE)  # type: ignore[no-any-return]


class Site:
    """A course with quizzes, exercises and lessons, whose rows are made in bulk."""

    def __init__(self) -> None:
        from django.utils import timezone

        from quizzes.courses.models import Course
        from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion
        from quizzes.lessons.models import Lesson, Step

        self.now = timezone.now()
        self.names = 0
        self.course = Course.objects.create(slug="measured", title="Measured", summary="-")
        self.quizzes: list[Any] = []
        self.asked: dict[int, list[Any]] = {}
        for quiz in range(QUIZZES):
            self.quizzes.append(self.add_quiz(f"{quiz}", QUESTIONS))
        self.exercises = []
        for number in range(EXERCISES):
            exercise = Exercise.objects.create(course=self.course, slug=f"exercise-{number}")
            version = ExerciseVersion(
                exercise=exercise,
                number=1,
                title=f"Exercise {number}",
                files={},
                content_hash=str(number),
                verification="ok",
                verified_at=self.now,
            )
            version.save()
            Exercise.objects.filter(pk=exercise.pk).update(current=version)
            pack = CasePack.objects.create(version=version, seed=number, data=b"")
            self.exercises.append((Exercise.objects.get(pk=exercise.pk), version, pack))
        self.lessons = []
        for number in range(LESSONS):
            lesson = Lesson.objects.create(
                course=self.course,
                slug=f"lesson-{number}",
                number=number + 1,
                title=f"Lesson {number}",
                summary="-",
            )
            for step in range(6):
                Step.objects.create(
                    lesson=lesson,
                    slug=f"step-{step}",
                    number=step + 1,
                    title=f"Step {step}",
                    text="Words.",
                    reading_seconds=60,
                )
            self.lessons.append(lesson)

    def add_quiz(self, name: str, questions: int) -> Any:
        """Return a quiz that nobody took yet."""
        from quizzes.assessment.models import Question, Quiz, QuizQuestion

        made = Quiz.objects.create(course=self.course, slug=f"quiz-{name}", title=f"Quiz {name}")
        self.asked[made.pk] = []
        for order in range(1, questions + 1):
            question = Question.objects.create(course=self.course, slug=f"q-{name}-{order}")
            self.asked[made.pk].append(self.publish(question))
            QuizQuestion.objects.create(quiz=made, question=question, order=order)
        return made

    def publish(self, question: Any, number: int = 1) -> tuple[Any, list[Any]]:
        """Give a question its next version, whose key is the option of that number."""
        from quizzes.assessment.models import Option, QuestionVersion

        version = QuestionVersion.objects.create(
            question=question,
            number=number,
            content_hash=str(number),
            prompt="Which?",
            step="lesson-0/step-0",
        )
        options = [
            Option.objects.create(
                version=version, order=n, text=f"option {n}", is_key=n == number, reason="So."
            )
            for n in (1, 2, 3, 4)
        ]
        question.current = version
        question.save()
        return version, options

    def learners(self, count: int) -> list[Any]:
        from quizzes.learners.models import Learner, User

        start, self.names = self.names, self.names + count
        users = _bulk(
            User,
            (
                User(username=f"u{n}", email=f"u{n}@example.org", password="!")
                for n in range(start, start + count)
            ),
        )
        return _bulk(Learner, (Learner(user=user) for user in users))

    def add_attempts(self, learners: list[Any], quiz: Any, sitting: int | None, times: int) -> None:
        from quizzes.assessment.models import Attempt, Response

        day = timedelta(days=1)
        asked = self.asked[quiz.pk]
        attempts = _bulk(
            Attempt,
            (
                Attempt(
                    learner=learner,
                    quiz=quiz,
                    sitting=sitting,
                    submitted_at=self.now - (times - n) * day,
                    earned=Decimal((learner.pk + n) % (len(asked) + 1)),
                    possible=Decimal(len(asked)),
                    ended_by="learner",
                )
                for learner in learners
                for n in range(times)
            ),
        )

        def responses() -> Iterator[Any]:
            for attempt in attempts:
                for order, (version, options) in enumerate(asked, start=1):
                    right = order <= attempt.earned
                    yield Response(
                        attempt=attempt,
                        order=order,
                        version=version,
                        option_order=[one.pk for one in options],
                        choice=options[0 if right else 1],
                        is_right=right,
                        score=Decimal(right),
                        answered_at=attempt.submitted_at,
                    )

        _bulk(Response, responses())

    def add_submits(self, learners: list[Any], which: int, times: int, report: Any) -> None:
        from quizzes.exercises.models import Submission

        _, version, pack = self.exercises[which]
        hour = timedelta(hours=1)
        _bulk(
            Submission,
            (
                Submission(
                    exercise_version=version,
                    learner=learner,
                    kind="submit",
                    code="x = 1\n" * 40,
                    submitted_at=self.now - (times - n) * hour,
                    scheduled_for=self.now,
                    graded_at=self.now,
                    verdict="correct" if (learner.pk + n) % 7 == 0 else "wrong",
                    report=report,
                    cases_passed=(learner.pk + n) % 9,
                    cases_total=9,
                    pack=pack,
                    tries_used=1,
                )
                for learner in learners
                for n in range(times)
            ),
        )

    def add_class(self, slug: str, size: int, report: Any) -> tuple[Any, Any, Any]:
        """Return a class with all its work, an instructor and a student."""
        from quizzes.classes.assignments import save_assignment
        from quizzes.classes.models import Assignment, Cohort, Membership
        from quizzes.learners.models import Progress

        today, day = self.now.date(), timedelta(days=1)
        cohort = Cohort.objects.create(
            course=self.course,
            slug=slug,
            title=slug,
            begins_on=today - 30 * day,
            ends_on=today + 60 * day,
            timezone="Europe/Vienna",
            join_code=f"{slug[:4].upper()}{size:04d}"[:8],
        )
        learners = self.learners(size + 1)
        joined = self.now - 20 * day
        members = _bulk(
            Membership,
            (
                Membership(
                    cohort=cohort,
                    user=one.user,
                    name=f"Member {number}",
                    email=one.user.email,
                    role="student" if number else "instructor",
                    state="active",
                    joined_at=joined,
                    section=f"S{number % 4}",
                )
                for number, one in enumerate(learners)
            ),
        )
        students = learners[1:]
        things = [("quiz", one) for one in self.quizzes]
        things += [("exercise", one) for one, _, _ in self.exercises]
        things += [("lesson", one) for one in self.lessons]
        for kind, thing in things:
            made = Assignment(
                cohort=cohort,
                points=Decimal(10),
                opens_at=self.now - 15 * day,
                due_at=self.now - 2 * day,
                closes_at=self.now + 5 * day,
                is_visible=True,
                late_percent_per_day=0 if kind == "lesson" else 10,
                exercise_counts="cases" if kind == "exercise" else "solved",
                **{kind: thing},
            )
            save_assignment(assignment=made, by=None)
            if kind == "quiz":
                self.add_attempts(students, thing, made.sitting, ATTEMPTS)
        for which in range(EXERCISES):
            self.add_submits(students, which, SUBMITS, report)
        _bulk(
            Progress,
            (
                Progress(
                    learner=one,
                    course=self.course,
                    kind="step",
                    slug=f"lesson-{lesson}/step-{step}",
                    state="done",
                    done_at=self.now - 5 * day,
                )
                for one in students
                for lesson in range(LESSONS)
                for step in range(4)
            ),
        )
        return cohort, members[0], members[1]

    def add_others(self, sizes: Sizes) -> list[Any]:
        """Add learners of no class with their work, and return them."""
        others = self.learners(sizes.learners)
        every = max(1, sizes.responses // QUESTIONS // len(self.quizzes))
        for place, quiz in enumerate(self.quizzes):
            chosen = others[place :: len(self.quizzes)] * (1 + every // max(1, len(others)))
            self.add_attempts((chosen * 10)[:every], quiz, None, 1)
        each = max(1, sizes.submissions // EXERCISES)
        for which in range(EXERCISES):
            self.add_submits((others * (1 + each // len(others)))[:each], which, 1, SHORT_REPORT)
        return others


def open_database() -> None:
    """Set Django up in this process, and make all tables in the database of DATABASE_URL."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "quizzes.config.settings"
    os.environ.setdefault("ORDINAL_ENV", "development")
    os.environ.setdefault("LOG_LEVEL", "ERROR")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)


def settle() -> None:
    """Let the database count its rows, as it does by itself in time."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
