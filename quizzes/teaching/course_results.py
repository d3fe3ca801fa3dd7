"""Instructors' page: the results of a course's learners, question by question, as numbers."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Case, Count, Min, Q, QuerySet, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import (
    RIGHT,
    Option,
    Question,
    QuestionVersion,
    Quiz,
    Response,
)
from quizzes.assessment.models.attempts import COUNTED, LATE_ANSWERS
from quizzes.courses.models import Course
from quizzes.courses.roles import learners_not_counted
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, Progress
from quizzes.pages.markdown import render_inline
from quizzes.teaching.access import for_viewers
from quizzes.teaching.count_cache import cached_count
from quizzes.teaching.lists import requested_filter

MOST = 100  # of questions on the page, the hardest first


@never_cache
@require_safe
@for_viewers
def class_page(request: HttpRequest, course: Course) -> HttpResponse:
    """Show each question that is asked, with facility and most chosen distractor, hardest first."""
    quiz = requested_filter(request, "quiz")
    rows, counted_at = cached_count(*question_counts(course, quiz))
    context = {
        "course": course,
        "sees_course": True,
        "counted_at": counted_at,
        "quizzes": Quiz.objects.filter(course=course).order_by("title").only("slug", "title"),
        "quiz": quiz,
        **_shown(rows),
    }
    return render(request, "teaching/class.html", context)


def first_answers_context(course: Course, quiz: str, among: QuerySet[Learner]) -> dict[str, Any]:
    """Return what a page shows of what these learners answered first, of a quiz or of all."""
    return _shown(rows_of(course, _asked(course, quiz), among, only_these=bool(quiz)))


def _shown(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"rows": rows[:MOST], "left_out": max(0, len(rows) - MOST)}


def question_counts(course: Course, quiz: str) -> tuple[str, Callable[[], list[dict[str, Any]]]]:
    """Return the name of the results page's count, and the function that counts it."""
    count = partial(rows_of, course, _asked(course, quiz))
    return f"questions of course {course.pk}, quiz {quiz}", count


def _asked(course: Course, quiz: str) -> QuerySet[Question]:
    questions = Question.objects.available().filter(course=course).select_related("current")
    return questions.filter(places__quiz__slug=quiz) if quiz else questions


def rows_of(
    course: Course,
    questions: QuerySet[Question],
    among: QuerySet[Learner] | None = None,
    *,
    only_these: bool = False,
) -> list[dict[str, Any]]:
    """Return the questions that learners were asked, hardest first. Three queries, at most five.

    `only_these`: the questions are few, and the answers to others are not read.
    """
    by_version = {one.current_id: one for one in questions if one.current_id is not None}
    answers = first_answers(course, list(by_version) if only_these else None, among=among)
    facility = answers.facilities
    met = [pk for pk in by_version if facility.get(pk, Facility()).met]
    met.sort(key=lambda pk: (facility[pk].percent, -facility[pk].met, by_version[pk].pk))
    options = answers.option_counts(met[:MOST])
    return [
        {
            "question": by_version[pk],
            "facility": facility[pk],
            "distractor": next(
                (
                    {"text": render_inline(one.option.text), "times": one.times}
                    for one in options.get(pk, ())
                    if one.times and not one.option.is_key
                ),
                None,
            ),
        }
        for pk in met
    ]


# "First time" is the first response that a learner gave to a question, in a submitted attempt (a
# blank response is not right) or inside a lesson. Every number is counted by the database.
IN_A_LESSON = Q(attempt=None, answered_at__isnull=False) & ~Q(step="")  # no practice, no review


def are_counted(now: datetime) -> Q:
    """Hold for the responses that count: in attempts that are over by now, or inside a lesson.

    A dropped response is neither right nor asked.
    """
    over = Q(attempt__submitted_at__isnull=False) | Q(attempt__deadline_at__lt=now - LATE_ANSWERS)
    return COUNTED & (over | IN_A_LESSON)


@dataclass(frozen=True)
class Facility:
    """The number of learners that a version was asked, and of those right the first time.

    `answered` is how many did not leave it blank.
    """

    met: int = 0
    right: int = 0
    answered: int = 0

    @property
    def percent(self) -> int:
        """Return the share of right answers in whole percent, 0 if no learner was asked."""
        return round(100 * self.right / self.met) if self.met else 0


@dataclass(frozen=True)
class OptionCount:
    """An option and how many learners chose it first."""

    option: Option
    times: int


@dataclass(frozen=True)
class ExerciseWork:
    """How many learners tried an exercise and solved it, and the mistakes they made in it."""

    learners: int = 0
    solved: int = 0
    submissions: int = 0
    mistakes: tuple["MistakeMade", ...] = ()


@dataclass(frozen=True)
class MistakeMade:
    """A known mistake, in how many submissions of how many learners.

    The site's cache stores it under this name (`count_cache`).
    """

    slug: str
    submissions: int
    learners: int


def first_responses(
    course: Course,
    among: QuerySet[Learner] | None = None,
    versions: Collection[int] | None = None,
) -> QuerySet[Response]:
    """Return the first response of every learner of a course to each of its questions.

    Of these learners alone, if they are given; else of all but its staff. `versions`: those among
    them that are of one of these, which does not read the answers to other questions.
    """
    rows = Response.objects.filter(are_counted(timezone.now()), version__question__course=course)
    if versions is not None:  # a learner may have met another version of the question first
        asked = QuestionVersion.objects.filter(pk__in=versions).values("question")
        alike = QuestionVersion.objects.filter(question__in=asked).values_list("pk", flat=True)
        rows = rows.filter(version__in=list(alike))
    who = rows.order_by().annotate(who=Coalesce("attempt__learner", "learner"))
    if among is None:
        who = who.exclude(who__in=learners_not_counted(course).values("pk"))
    else:
        # By key, each part by an index of its own: an OR would read the answers of everybody.
        taken = Response.objects.filter(attempt__learner__in=among).order_by().values("pk")
        alone = Response.objects.filter(learner__in=among).order_by().values("pk")
        who = who.filter(pk__in=taken.union(alone, all=True))
    first = who.values("who", "version__question").annotate(first=Min("pk")).values("first")
    found = Response.objects.filter(pk__in=first).order_by()
    return found if versions is None else found.filter(version__in=versions)


@dataclass(frozen=True)
class FirstAnswers:
    """What learners answered first: by version how it went, by option how often it was chosen.

    `responses` are the counted ones. Of `multiple`, versions with several right options, `times`
    says nothing.
    """

    responses: QuerySet[Response]
    facilities: Mapping[int, Facility]
    times: Mapping[int, int]
    multiple: Collection[int]

    def option_counts(self, versions: Collection[int]) -> Mapping[int, list[OptionCount]]:
        """Return the options of versions, the most chosen first.

        One query, another where several options may be chosen: there each of them counts. Options
        drawn for one learner (generated questions) tell nothing about a class and are left out.
        """
        times = Counter(self.times)
        if multiple := set(versions) & set(self.multiple):
            rows = self.responses.filter(version__in=multiple, choices__isnull=False)
            for chosen in rows.values_list("choices", flat=True):
                times.update(chosen or ())
        found: dict[int, list[OptionCount]] = {}
        for option in Option.objects.filter(version__in=versions, instance=None).order_by("order"):
            count = OptionCount(option, times.get(option.pk, 0))
            found.setdefault(option.version_id, []).append(count)
        return {
            pk: sorted(options, key=lambda option: -option.times) for pk, options in found.items()
        }


def first_answers(
    course: Course,
    versions: Collection[int] | None = None,
    among: QuerySet[Learner] | None = None,
) -> FirstAnswers:
    """Return the first answers to all versions, one query, or to these, two.

    Which response of a learner is the first is most of the work, so one query serves for all.
    """
    found = first_responses(course, among, versions)
    fixed = Case(When(instance=None, then="choice"))  # each learner has drawn options of their own
    rows = found.values_list("version", "version__kind", fixed).annotate(
        met=Count("pk"),
        right=Count("pk", filter=RIGHT),
        answered=Count("pk", filter=Q(answered_at__isnull=False)),
    )
    counts: dict[int, Sequence[int]] = {}
    times: Counter[int] = Counter()
    multiple = set()
    for version, kind, choice, *more in rows:
        before = counts.get(version, (0, 0, 0))
        counts[version] = [sum(pair) for pair in zip(before, more, strict=True)]
        if choice is not None:
            times[choice] = more[0]
        if kind == QuestionVersion.Kind.MULTIPLE:
            multiple.add(version)
    facilities = {pk: Facility(*one) for pk, one in counts.items()}
    return FirstAnswers(found, facilities, times, multiple)


def facilities(course: Course, versions: Collection[int] | None = None) -> Mapping[int, Facility]:
    """Return the facility by version, of all versions, one query, or of these, two."""
    return first_answers(course, versions).facilities


def exercise_work(
    course: Course, exercises: Collection[str] | None = None
) -> Mapping[str, ExerciseWork]:
    """Return the results of the class in exercises of a course, by slug. Three queries."""
    apart = learners_not_counted(course).values("pk")
    work = Submission.objects.filter(
        kind=Submission.Kind.SUBMIT, exercise_version__exercise__course=course
    ).order_by()
    solved = Progress.objects.filter(
        course=course, kind=Progress.Kind.EXERCISE, state=Progress.State.DONE
    )
    work, solved = work.exclude(learner__in=apart), solved.exclude(learner__in=apart)
    if exercises is not None:
        work = work.filter(exercise_version__exercise__slug__in=exercises)
        solved = solved.filter(slug__in=exercises)
    by_exercise = work.values_list("exercise_version__exercise__slug")
    done = dict(solved.order_by().values_list("slug").annotate(Count("pk")))
    made = _mistakes(work)
    return {
        slug: ExerciseWork(learners, done.get(slug, 0), submissions, tuple(made.get(slug, ())))
        for slug, learners, submissions in by_exercise.annotate(
            Count("learner", distinct=True), Count("pk")
        )
    }


def _mistakes(work: QuerySet[Submission]) -> Mapping[str, list[MistakeMade]]:
    rows = work.exclude(known_mistake="").values_list(
        "exercise_version__exercise__slug", "known_mistake"
    )
    found: dict[str, list[MistakeMade]] = {}
    for exercise, slug, times, learners in rows.annotate(
        Count("pk"), Count("learner", distinct=True)
    ):
        found.setdefault(exercise, []).append(MistakeMade(slug, times, learners))
    return {
        exercise: sorted(
            made, key=lambda mistake: (-mistake.learners, -mistake.submissions, mistake.slug)
        )
        for exercise, made in found.items()
    }
