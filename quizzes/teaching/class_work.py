"""How the class does: questions right first time, distractors chosen, mistakes in code counted.

First time: the first response a learner gave to a question, in a submitted attempt (a blank one is
not right) or inside a lesson. Every number is counted by the database.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Count, Min, Q, QuerySet
from django.db.models.functions import Coalesce

from quizzes.assessment.models import RIGHT, Option, Response
from quizzes.exercises.models import Submission
from quizzes.learners.models import Progress

IN_A_LESSON = Q(attempt=None, answered_at__isnull=False) & ~Q(step="")  # no practice, no review
GIVEN = Q(attempt__submitted_at__isnull=False) | IN_A_LESSON


@dataclass(frozen=True)
class Facility:
    """How many learners met a version, and how many of them were right the first time."""

    met: int = 0
    right: int = 0

    @property
    def percent(self) -> int:
        """Return the share of right answers in whole percent, 0 when nobody met it."""
        return round(100 * self.right / self.met) if self.met else 0


@dataclass(frozen=True)
class Chosen:
    """An option and how many learners chose it first."""

    option: Option
    times: int


@dataclass(frozen=True)
class Tried:
    """How many learners tried an exercise and solved it, and the mistakes they made in it."""

    learners: int = 0
    solved: int = 0
    submissions: int = 0
    mistakes: tuple["MistakeMade", ...] = ()


@dataclass(frozen=True)
class MistakeMade:
    """A known mistake, in how many submissions of how many learners."""

    slug: str
    submissions: int
    learners: int


def first_responses() -> QuerySet[Response]:
    """Return the first response of every learner to every question they met."""
    given = Response.objects.filter(GIVEN).order_by()
    who = given.annotate(who=Coalesce("attempt__learner", "learner"))
    first = who.values("who", "version__question").annotate(first=Min("pk")).values("first")
    return Response.objects.filter(pk__in=first).order_by()


def facilities(versions: Collection[int] | None = None) -> Mapping[int, Facility]:
    """Return the facility by version, of all versions or of these. One query."""
    found = first_responses()
    if versions is not None:
        found = found.filter(version__in=versions)
    counted = found.values_list("version").annotate(met=Count("pk"))
    rows = counted.annotate(right=Count("pk", filter=RIGHT))
    return {version: Facility(met, right) for version, met, right in rows}


def chosen(versions: Collection[int]) -> Mapping[int, list[Chosen]]:
    """Return the options of versions, the most chosen first. Two queries.

    Options drawn for one learner (generated questions) say nothing of a class: left out.
    """
    counted = first_responses().filter(version__in=versions, choice__isnull=False)
    times = dict(counted.values_list("choice").annotate(Count("pk")))
    found: dict[int, list[Chosen]] = {}
    for option in Option.objects.filter(version__in=versions, instance=None).order_by("order"):
        found.setdefault(option.version_id, []).append(Chosen(option, times.get(option.pk, 0)))
    return {pk: sorted(options, key=lambda one: -one.times) for pk, options in found.items()}


def tried(exercises: Collection[str] | None = None) -> Mapping[str, Tried]:
    """Return what learners did with exercises, by slug. Three queries."""
    work = Submission.objects.filter(kind=Submission.Kind.SUBMIT).order_by()
    solved = Progress.objects.filter(kind=Progress.Kind.EXERCISE, state=Progress.State.DONE)
    if exercises is not None:
        work = work.filter(exercise_version__exercise__slug__in=exercises)
        solved = solved.filter(slug__in=exercises)
    by_exercise = work.values_list("exercise_version__exercise__slug")
    done = dict(solved.order_by().values_list("slug").annotate(Count("pk")))
    made = _mistakes(work)
    return {
        slug: Tried(learners, done.get(slug, 0), submissions, tuple(made.get(slug, ())))
        for slug, learners, submissions in by_exercise.annotate(
            Count("learner", distinct=True), Count("pk")
        )
    }


def _mistakes(work: QuerySet[Submission]) -> Mapping[str, list[MistakeMade]]:
    counted = work.exclude(known_mistake="").values_list(
        "exercise_version__exercise__slug", "known_mistake"
    )
    found: dict[str, list[MistakeMade]] = {}
    for exercise, slug, times, learners in counted.annotate(
        Count("pk"), Count("learner", distinct=True)
    ):
        found.setdefault(exercise, []).append(MistakeMade(slug, times, learners))
    return {
        exercise: sorted(made, key=lambda one: (-one.learners, -one.submissions, one.slug))
        for exercise, made in found.items()
    }
