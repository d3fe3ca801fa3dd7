"""Instructors' pages: the exercises with their results, and the verification report of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.classes.week.known_mistakes import mistake_facts
from quizzes.courses.models import ContentDraft, Course
from quizzes.exercises.models import Exercise
from quizzes.exercises.naming.drafts import open_drafts
from quizzes.exercises.publishing import forget_problem, newest_refused, verify_again
from quizzes.grader.definitions import VerifiedCase, VerifiedClause, weak_cases
from quizzes.grader.judge import BUILT_IN_MISTAKES, RESERVED_MISTAKES
from quizzes.regrades.offers import older_submissions
from quizzes.teaching.access import for_editors, for_viewers
from quizzes.teaching.addresses import address_in
from quizzes.teaching.count_cache import cached_count
from quizzes.teaching.course_results import ExerciseWork, exercise_work


def exercise_list(course: Course) -> dict[str, Any]:
    """Return of each exercise whether it is verified, how strong its cases are, and its results.

    What was begun in the browser and never published comes last, with whose draft it is.
    """
    rows = Exercise.objects.filter(course=course).select_related("current")
    listed = list(rows.defer("current__files", "current__outline"))
    work, counted_at = cached_count(*all_exercise_counts(course))
    most = {slug: one.mistakes[0].slug for slug, one in work.items() if one.mistakes}
    facts = mistake_facts(course, [f"{slug}/{mistake}" for slug, mistake in most.items()])
    drafts = course.drafts.filter(kind=ContentDraft.Kind.EXERCISE).select_related("edited_by")
    drafted = {draft.slug: draft for draft in drafts.defer("files")}
    shown = [
        {
            "exercise": one,
            "version": one.current,
            "proof": verification_context(one.current.proof, {}),
            "work": work.get(one.slug, ExerciseWork()),
            "mistake": facts[f"{one.slug}/{most[one.slug]}"].words if one.slug in most else "",
            "draft": drafted.get(one.slug),
        }
        for one in listed
        if one.current
    ]
    begun = [(exercise, drafted.get(exercise.slug)) for exercise in listed if not exercise.current]
    return {"rows": shown, "begun": begun, "counted_at": counted_at}


@never_cache
@require_safe
@for_viewers
def exercise(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show one exercise: mutation score, matrix of cases and known mistakes, weakest case, lint.

    One that was never published is still being written: lead to where.
    """
    if Exercise.objects.filter(course=course, slug=slug, current=None).exists():
        return redirect(address_in(course, "exercise-write", slug))
    found = _exercise(course, slug)
    (work, older), counted_at = cached_count(*exercise_counts(course, found))
    made = {one.slug: (one.learners, one.submissions) for one in work.mistakes}
    facts = mistake_facts(course, [f"{slug}/{one.slug}" for one in work.mistakes])
    context = {
        "mistakes": [(facts[f"{slug}/{one.slug}"].words, one) for one in work.mistakes],
        "exercise": found,
        "version": found.current,
        "refused": newest_refused(exercise=found),
        "older_submissions": older,
        "draft": course.drafts.filter(kind=ContentDraft.Kind.EXERCISE, slug=slug)
        .select_related("edited_by")
        .defer("files")
        .first(),
        "mistake_drafts": open_drafts([slug], course.pk).filter(published=None),
        "work": work,
        "counted_at": counted_at,
        "proof": verification_context(found.current.proof if found.current else None, made),
        "built_in": BUILT_IN_MISTAKES.values(),
        "named_by_grader": [
            mistake
            for slug, mistake in RESERVED_MISTAKES.items()
            if slug in made and slug not in BUILT_IN_MISTAKES
        ],
    }
    return render(request, "teaching/exercise.html", context)


def all_exercise_counts(
    course: Course,
) -> tuple[str, Callable[[], Mapping[str, ExerciseWork]]]:
    """Return the name of the exercise list's count, and the function that counts it."""
    return f"exercises of course {course.pk}", partial(exercise_work, course)


def exercise_counts(
    course: Course, exercise: Exercise
) -> tuple[str, Callable[[], tuple[ExerciseWork, int]]]:
    """Return the name of an exercise page's count, and the function that counts it."""
    name = f"exercise {exercise.slug} of course {course.pk}, version {exercise.current_id}"
    return name, partial(_work, course, exercise)


def _work(course: Course, exercise: Exercise) -> tuple[ExerciseWork, int]:
    """Return the numbers of an exercise's use, and how much an older version graded."""
    work = exercise_work(course, [exercise.slug]).get(exercise.slug, ExerciseWork())
    return work, older_submissions(exercise).count()


@require_POST
@for_editors
def verify_refused(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Have a refused version verified once more, or cases drawn again; go back to the exercise."""
    found = _exercise(course, slug)
    refused, current, done = newest_refused(exercise=found), found.current, list[str]()
    if refused is not None and verify_again(version=refused):
        done.append(f"Version {refused.number} will be verified again.")
    if current is not None and forget_problem(version=current):
        done.append(f"The cases of version {current.number} will be drawn again.")
    if done:
        messages.success(request, " ".join(done))
    else:
        messages.info(request, "No version of this exercise has been refused.")
    return redirect(address_in(course, "exercise", slug))


class ExerciseWithdrawal:
    """How exercises are withdrawn and restored, for `studio_views.py`."""

    withdrawn = (
        "Withdrawn: only learners who have worked on it, or whose class it is assigned to, can "
        "still find it."
    )
    restored = "Restored: learners can find it again."

    def row(self, course: Course, slug: str) -> Exercise:
        return _exercise(course, slug)

    def warning(self, row: Exercise) -> str:
        del row
        return ""


def _exercise(course: Course, slug: str) -> Exercise:
    rows = Exercise.objects.select_related("current", "course")
    rows = rows.defer("current__files", "current__outline")
    return get_object_or_404(rows, course=course, slug=slug, current__isnull=False)


WEAK_NAMED = 5  # further ones are marked in the list of all cases
LINT = {
    "tolerance": "Tolerance",
    "dtype": "Type of numbers",
    "case": "Case",
    "speed": "Time",
    "example": "Example",
    "clause": "Requirement",
    "starter": "Starter",
}


@dataclass(frozen=True)
class Cell:
    """Whether one case catches one variant."""

    case: str
    caught: bool


@dataclass(frozen=True)
class VariantContext:
    """One row of the matrix. `made`: learners who made this mistake."""

    slug: str
    kind: str
    sentence: str
    told_apart: bool
    caught_by: int
    cells: tuple[Cell, ...]
    learners: int
    submissions: int


@dataclass(frozen=True)
class CaseContext:
    """One column of the matrix."""

    number: int
    label: str
    shown: bool
    identify: bool
    lets_through: int
    weakest: bool
    weak: bool


@dataclass(frozen=True)
class VerificationContext:
    """The whole page of one verified version."""

    caught: int
    told_apart: int
    total: int
    weakest: str
    weak: tuple[CaseContext, ...]
    cases: tuple[CaseContext, ...]
    variants: tuple[VariantContext, ...]
    examples: tuple[Mapping[str, Any], ...]
    warnings: tuple[tuple[str, str], ...]
    clauses: tuple[VerifiedClause, ...]
    seconds: float

    @property
    def weak_named(self) -> tuple[CaseContext, ...]:
        """The weakest of the cases that let more than a third of the known mistakes through."""
        return self.weak[:WEAK_NAMED]

    @property
    def weak_more(self) -> int:
        """How many weak cases are not among `weak_named`."""
        return len(self.weak[WEAK_NAMED:])

    @property
    def open_clauses(self) -> tuple[VerifiedClause, ...]:
        """The clauses of the statement that no known mistake breaks alone."""
        return tuple(clause for clause in self.clauses if not clause.broken_by)

    @property
    def percent(self) -> int:
        """The mutation score: the share of known mistakes that at least one case catches."""
        return 100 * self.caught // self.total if self.total else 0


def verification_context(
    proof: Mapping[str, Any] | None, made: Mapping[str, tuple[int, int]]
) -> VerificationContext | None:
    """Return the page of a stored verification report; None without a report of a known format.

    `made`: by variant, how many learners made that mistake in how many submissions.
    """
    if not proof or proof.get("schema") != 1:
        return None
    weakest = proof["weakest"] or {}
    total = proof["score"]["total"]
    weak = [one.label for one in weak_cases([VerifiedCase(**one) for one in proof["cases"]], total)]
    cases = tuple(
        CaseContext(
            number,
            case["label"],
            case["shown"],
            case["identify"],
            len(case["passed_by"]),
            case["label"] == weakest.get("label"),
            case["label"] in weak,
        )
        for number, case in enumerate(proof["cases"], start=1)
    )
    return VerificationContext(
        caught=proof["score"]["caught"],
        told_apart=proof["score"]["told_apart"],
        total=total,
        weakest=weakest.get("sentence", ""),
        weak=tuple(sorted((case for case in cases if case.weak), key=_most_through)),
        cases=cases,
        variants=tuple(_variant(one, proof["cases"], made) for one in proof["variants"]),
        examples=tuple(proof["examples"]),
        warnings=tuple(
            (LINT.get(one["kind"], "Note"), one["message"]) for one in proof["warnings"]
        ),
        clauses=tuple(VerifiedClause(**clause) for clause in proof.get("clauses", ())),
        seconds=proof["seconds"],
    )


def _most_through(case: CaseContext) -> int:
    return -case.lets_through


def _variant(
    variant: Mapping[str, Any], cases: list[Any], made: Mapping[str, tuple[int, int]]
) -> VariantContext:
    slug = variant["slug"]
    learners, submissions = made.get(slug, (0, 0))
    cells = tuple(Cell(case["label"], slug not in case["passed_by"]) for case in cases)
    return VariantContext(
        slug,
        variant["kind"],
        variant["sentence"],
        variant["told_apart"],
        variant["caught_by"],
        cells,
        learners,
        submissions,
    )
