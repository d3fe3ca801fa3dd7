"""What follows from a verdict that a regrade changed: progress and review cards of learners."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from quizzes.exercises.models import CodeRegrade, Exercise, Submission, TrialVerdict
from quizzes.exercises.stored_reports import read_report
from quizzes.grader.api import Verdict
from quizzes.learners.models import Progress, ReviewCard
from quizzes.learners.review import FIRST_DUE_AFTER

MISTAKE = ReviewCard.Kind.MISTAKE
CARD = [field.attname for field in ReviewCard._meta.concrete_fields]


def follow(made: CodeRegrade, trials: Sequence[TrialVerdict], *, back: bool = False) -> None:
    """Work out anew the progress and the review cards of the learners of these trials.

    What was there is kept with the trials; `back` gives it back.
    """
    exercise = made.exercise
    by_learner = {trial.submission.learner_id: trial for trial in reversed(trials)}
    learners = list(by_learner)
    rows = Submission.objects.graded().filter(
        exercise_version__exercise=exercise,
        kind=Submission.Kind.SUBMIT,
        learner__in=learners,
    )
    verdicts: dict[int, set[str]] = {}
    mistakes: dict[int, set[str]] = {}
    for learner, verdict, mistake in rows.values_list("learner_id", "verdict", "known_mistake"):
        verdicts.setdefault(learner, set()).add(verdict)
        if mistake:
            mistakes.setdefault(learner, set()).add(mistake)
    kept: dict[int, dict[str, Any]] = {}
    _follow_progress(exercise, verdicts, by_learner, kept, back=back)
    _follow_cards(exercise, trials, mistakes, kept, back=back)
    for learner, trial in by_learner.items():
        if not back and learner in kept:
            trial.before["kept"] = kept[learner]
            trial.save(update_fields=["before"])


def _follow_progress(
    exercise: Exercise,
    verdicts: Mapping[int, set[str]],
    trials: Mapping[int, TrialVerdict],
    kept: dict[int, dict[str, Any]],
    *,
    back: bool,
) -> None:
    known = Progress.objects.filter(
        course=exercise.course_id, kind="exercise", slug=exercise.slug, learner__in=verdicts
    )
    for row in known:
        solves = any(Verdict(one).solves for one in verdicts[row.learner_id])
        state = Progress.State.DONE if solves else Progress.State.NEEDS_WORK
        if state == row.state:
            continue
        now = timezone.now()
        done_at = (row.done_at or now) if solves else None
        had = trials[row.learner_id].before.get("kept", {}).get("progress")
        if back and had and had["state"] == state:
            done_at = parse_datetime(had["done_at"]) if had["done_at"] else None
        told = {"state": row.state, "done_at": row.done_at.isoformat() if row.done_at else None}
        kept.setdefault(row.learner_id, {})["progress"] = told
        Progress.objects.filter(pk=row.pk).update(state=state, done_at=done_at, updated_at=now)


def _follow_cards(
    exercise: Exercise,
    trials: Sequence[TrialVerdict],
    mistakes: Mapping[int, set[str]],
    kept: dict[int, dict[str, Any]],
    *,
    back: bool,
) -> None:
    """Remove cards of mistakes that no submission makes and nobody reviewed; make those lacking."""
    for trial in trials:
        learner = trial.submission.learner_id
        old, new = str(trial.before["known_mistake"]), trial.known_mistake
        gone, come = (new, old) if back else (old, new)
        if gone == come:
            continue
        cards = ReviewCard.objects.filter(learner=learner, course=exercise.course_id, kind=MISTAKE)
        card = cards.filter(slug=f"{exercise.slug}/{gone}", reviews=0).first() if gone else None
        if card is not None and gone not in mistakes.get(learner, ()):
            told = {name: _json(vars(card)[name]) for name in CARD}
            kept.setdefault(learner, {}).setdefault("cards", {})[card.slug] = told
            card.delete()
        if come and _is_mistake(trial, back=back):
            _have_card(cards, exercise, learner, come, trials if back else ())


def _is_mistake(trial: TrialVerdict, *, back: bool) -> bool:
    """Return whether what the submission is named for now is a mistake, not a convention."""
    if back:
        return True  # only what a regrade removed comes back
    report = read_report(trial.report, number=trial.submission_id)
    return bool(report and report.known_mistake and report.known_mistake.kind == "mistake")


def _have_card(
    cards: QuerySet[ReviewCard],
    exercise: Exercise,
    learner: int,
    mistake: str,
    undone: Iterable[TrialVerdict],
) -> None:
    slug = f"{exercise.slug}/{mistake}"
    if cards.filter(slug=slug).exists():
        return
    for trial in undone:
        had = trial.before.get("kept", {}).get("cards", {}).get(slug)
        if had and trial.submission.learner_id == learner:
            times = {"due_at", "reviewed_at", "noted_at"}
            ReviewCard.objects.create(
                **{
                    name: parse_datetime(value) if name in times and value else value
                    for name, value in had.items()
                }
            )
            return
    if not undone:
        ReviewCard.objects.create(
            learner_id=learner,
            course_id=exercise.course_id,
            kind=MISTAKE,
            slug=slug,
            due_at=timezone.now() + FIRST_DUE_AFTER,
        )


def _json(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
