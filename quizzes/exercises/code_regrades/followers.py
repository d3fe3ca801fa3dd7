"""What follows from a verdict that a regrade changed: progress and review cards of learners."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
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


def follow(
    made: CodeRegrade, trials: Sequence[TrialVerdict], *, at: datetime, back: bool = False
) -> None:
    """Work out anew the progress and the review cards of the learners of these trials.

    What was there is kept with the trials; `back` gives it back. `at`: the time that is written,
    which is that of the trials.
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
    undone = _trials_of(made, learners) if back else {}
    _follow_progress(exercise, verdicts, undone, kept, at=at)
    _follow_cards(exercise, trials, mistakes, undone, kept, back=back)
    for learner, trial in by_learner.items():
        if not back and learner in kept:
            trial.before["kept"] = kept[learner]
            trial.save(update_fields=["before"])


def _trials_of(made: CodeRegrade, learners: Collection[int]) -> dict[int, list[TrialVerdict]]:
    """Return all that a regrade changed of these learners, the first first.

    What was there before is kept with one of them, which another chunk may have taken back.
    """
    rows = made.trials.filter(submission__learner__in=learners, applied_at__isnull=False)
    found: dict[int, list[TrialVerdict]] = {}
    for trial in (
        rows.select_related("submission")
        .only("before", "applied_at", "undone_at", "submission__learner")
        .order_by("pk")
    ):
        found.setdefault(trial.submission.learner_id, []).append(trial)
    return found


def _before_the_regrade(trials: Sequence[TrialVerdict]) -> Mapping[str, Any] | None:
    """Return the progress that a regrade found, None where it changed none."""
    rows = (trial.before.get("kept", {}).get("progress") for trial in trials)
    return next((row for row in rows if row), None)


def _follow_progress(
    exercise: Exercise,
    verdicts: Mapping[int, set[str]],
    undone: Mapping[int, Sequence[TrialVerdict]],
    kept: dict[int, dict[str, Any]],
    *,
    at: datetime,
) -> None:
    known = Progress.objects.filter(
        course=exercise.course_id, kind="exercise", slug=exercise.slug, learner__in=verdicts
    )
    for row in known:
        solves = any(Verdict(one).solves for one in verdicts[row.learner_id])
        state = Progress.State.DONE if solves else Progress.State.NEEDS_WORK
        theirs = undone.get(row.learner_id, ())
        own = {time for trial in theirs for time in (trial.applied_at, trial.undone_at)}
        had, is_own = _before_the_regrade(theirs), row.updated_at in own
        if had and had["state"] == state and (is_own or state != row.state):
            # What the learner did since the regrade is newer than what was there before it.
            updated_at = _time(had.get("updated_at")) if is_own else None
            times = {"done_at": _time(had["done_at"]), "updated_at": updated_at or row.updated_at}
        elif state != row.state:
            times = {"done_at": (row.done_at or at) if solves else None, "updated_at": at}
        else:
            continue
        told = {name: _json(getattr(row, name)) for name in ("state", "done_at", "updated_at")}
        kept.setdefault(row.learner_id, {})["progress"] = told
        Progress.objects.filter(pk=row.pk).update(state=state, **times)


def _follow_cards(
    exercise: Exercise,
    trials: Sequence[TrialVerdict],
    mistakes: Mapping[int, set[str]],
    undone: Mapping[int, Sequence[TrialVerdict]],
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
            told = {name: _json(getattr(card, name)) for name in CARD}
            kept.setdefault(learner, {}).setdefault("cards", {})[card.slug] = told
            card.delete()
        if come and _is_mistake(trial, back=back):
            _have_card(cards, exercise, learner, come, undone.get(learner, ()))


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
        if had:
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


def _time(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None
