"""Known mistakes that a learner's submitted code made."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner


@dataclass(frozen=True)
class CodeMistake:
    """One known mistake of one exercise: its sentence, how often, and when last.

    `name` is "<exercise>/<known mistake>"; `requirement` is the line of the statement it breaks.
    """

    name: str
    exercise: str
    title: str
    sentence: str
    step: str
    requirement: str
    times: int
    last_at: datetime
    solved_since: bool
    address: str  # of the newest submission that made it


def code_mistakes(learner: Learner | None) -> list[CodeMistake]:
    """Return the mistakes of all submissions, the newest first. Two queries."""
    if learner is None:
        return []
    handed_in = Submission.objects.filter(learner=learner, kind=Submission.Kind.SUBMIT)
    made = handed_in.exclude(known_mistake="").order_by("-graded_at", "-pk")
    rows = list(made.select_related("exercise_version__exercise").defer("code"))
    if not rows:
        return []
    right = handed_in.filter(verdict="correct").values_list(
        "exercise_version__exercise__slug", "graded_at"
    )
    return list(_counted(rows, list(right)))


def _counted(
    rows: Iterable[Submission], right: Iterable[tuple[str, datetime | None]]
) -> Iterable[CodeMistake]:
    solved: dict[str, datetime] = {}
    for slug, at in right:
        if at is not None:
            solved[slug] = max(at, solved.get(slug, at))
    of_name: dict[str, list[Submission]] = {}
    for row in rows:
        exercise = row.exercise_version.exercise.slug
        of_name.setdefault(f"{exercise}/{row.known_mistake}", []).append(row)
    for name, found in of_name.items():
        newest = found[0]
        report = newest.verdict_report
        said = report.known_mistake if report else None
        exercise = newest.exercise_version.exercise.slug
        last_at = newest.graded_at or newest.submitted_at
        yield CodeMistake(
            name=name,
            exercise=exercise,
            title=newest.exercise_version.title,
            sentence=said.sentence if said else _unreadable(newest),
            step=(said.step if said else None) or newest.exercise_version.step,
            requirement=said.breaks if said else "",
            times=len(found),
            last_at=last_at,
            solved_since=exercise in solved and solved[exercise] > last_at,
            address=reverse("exercises:submission", args=[exercise, newest.pk]),
        )


def _unreadable(row: Submission) -> str:
    """Return what is known of a mistake whose report says nothing of it."""
    return (
        f"The known mistake “{row.known_mistake}”. What was said of it cannot be read any more;"
        f" submission {row.pk} can be graded anew."
    )
