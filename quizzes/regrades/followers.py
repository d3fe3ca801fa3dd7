"""What follows from work that counts differently: progress and review cards of its learners.

It is worked out again from all work of each learner, and so it may get worse as well as better.
What was there before is returned and stored with the regrade, so that undoing gives it back as it
was. Only learners whose progress is known have any: data that somebody deleted stays gone.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from quizzes.assessment.corrections.keys import pieces
from quizzes.assessment.models import Attempt, Question, Quiz, Response
from quizzes.exercises.models import CodeRegrade, Submission, TrialVerdict
from quizzes.exercises.stored_reports import read_report
from quizzes.grader.api import Verdict
from quizzes.learners.models import Progress, ReviewCard
from quizzes.learners.review import FIRST_DUE_AFTER

SEEN, DONE, NEEDS_WORK = Progress.State.SEEN, Progress.State.DONE, Progress.State.NEEDS_WORK
PROGRESS = ("pk", "state", "done_at", "updated_at")
CARD = [field.attname for field in ReviewCard._meta.concrete_fields]
TIMES = {"done_at", "updated_at", "due_at", "reviewed_at", "noted_at"}
Row = Mapping[str, Any]  # of a table, as JSON
Card = tuple[int, str]  # of a learner, by the slug
Earlier = dict[int, dict[str, Any]]  # by learner, what stood there before


class Times(NamedTuple):
    """The time to write, and the times at which the regrade that is undone wrote."""

    at: datetime
    own: Collection[datetime | None] = ()


def follow_answers(
    question: Question,
    *,
    learners: Collection[int],
    quizzes: Collection[tuple[int, int]],
    missed: Collection[int],
    times: Times,
    before: Mapping[int, Row] | None = None,
) -> Earlier:
    """Work out the progress in a question and in quizzes, (learner, quiz), and the review cards.

    `missed`: learners with an answer that became a wrong one; they get a card. `before`: what an
    undone regrade returned. Learners are locked. Return what was there, where it changed.
    """
    before, earlier = before or {}, Earlier()
    for some in pieces(sorted(learners)):
        rows = list(_progress(question.course_id, Progress.Kind.QUESTION, question.slug, some))
        known = {row.learner_id for row in rows}
        right, wrong = _learners_by_answer(question, some)
        states = {pk: DONE if pk in right else NEEDS_WORK if pk in wrong else SEEN for pk in known}
        old = {pk: before[pk]["question"] for pk in known if "question" in before.get(pk, {})}
        for learner, row in _set_progress(rows, states, times, old).items():
            earlier.setdefault(learner, {})["question"] = row
        slug = question.slug
        removed = {(pk, slug): before[pk]["card"] for pk in known if "card" in before.get(pk, {})}
        due = {(pk, slug) for pk in wrong & known & set(missed)}
        if question.withdrawn_at is not None:
            due &= set(removed)
        gone = {(pk, slug) for pk in known - wrong}
        kind = ReviewCard.Kind.QUESTION
        for (learner, _), row in _set_cards(question.course_id, kind, gone, due, removed).items():
            earlier.setdefault(learner, {})["card"] = row
    _follow_quizzes(quizzes, before, earlier, times)
    return earlier


def _learners_by_answer(question: Question, learners: Collection[int]) -> tuple[set[int], set[int]]:
    """Return the learners with a right answer that counts, and those with a wrong one."""
    theirs = Q(attempt__submitted_at__isnull=False, attempt__learner__in=learners)
    theirs |= Q(attempt=None, learner__in=learners)
    rows = Response.objects.filter(
        theirs, version__question=question, answered_at__isnull=False, is_dropped=False
    )
    whose = Coalesce("attempt__learner", "learner")
    answers = set(rows.order_by().values_list(whose, "is_right"))
    right = {learner for learner, is_right in answers if is_right}
    return right, {learner for learner, is_right in answers if not is_right}


def _follow_quizzes(
    quizzes: Collection[tuple[int, int]], before: Mapping[int, Row], earlier: Earlier, times: Times
) -> None:
    """Set each quiz to done where an attempt earned everything, else to in need of work."""
    by_quiz: dict[int, list[int]] = {}
    for learner, pk in sorted(quizzes):
        by_quiz.setdefault(pk, []).append(learner)
    for quiz in Quiz.objects.filter(pk__in=by_quiz):
        key = str(quiz.pk)
        for some in pieces(by_quiz[quiz.pk]):
            attempts = Attempt.objects.filter(
                quiz=quiz, learner__in=some, submitted_at__isnull=False
            ).order_by()
            states = dict.fromkeys(attempts.values_list("learner", flat=True), NEEDS_WORK)
            whole = attempts.filter(earned=F("possible")).values_list("learner", flat=True)
            states |= dict.fromkeys(whole, DONE)
            old = {pk: before.get(pk, {}).get("quizzes", {}).get(key) for pk in some}
            rows = _progress(quiz.course_id, Progress.Kind.QUIZ, quiz.slug, list(states))
            for learner, row in _set_progress(rows, states, times, old).items():
                earlier.setdefault(learner, {}).setdefault("quizzes", {})[key] = row


def follow_code(
    regrade: CodeRegrade, trials: Sequence[TrialVerdict], *, at: datetime, undo: bool = False
) -> None:
    """Work out the progress in an exercise and the cards of mistakes of these trials' learners.

    What was there is stored with the trials; `undo` gives it back. `at`: the time to write, which
    is that of the trials.
    """
    exercise, earlier = regrade.exercise, Earlier()
    by_learner = {trial.submission.learner_id: trial for trial in reversed(trials)}
    states: dict[int, str] = {}
    mistakes: set[Card] = set()
    rows = Submission.objects.graded().filter(
        exercise_version__exercise=exercise, kind=Submission.Kind.SUBMIT, learner__in=by_learner
    )
    for learner, verdict, mistake in rows.values_list("learner_id", "verdict", "known_mistake"):
        is_done = Verdict(verdict).solves or states.get(learner) == DONE
        states[learner] = DONE if is_done else NEEDS_WORK
        mistakes.add((learner, f"{exercise.slug}/{mistake}"))
    old: dict[int, Row] = {}
    removed: dict[Card, Row] = {}
    own: set[datetime | None] = set()
    # What was there before is stored with a learner's first trial, perhaps of another chunk.
    for trial in _trials_of(regrade, by_learner) if undo else ():
        learner, stored = trial.submission.learner_id, trial.before.get("kept", {})
        if "progress" in stored:
            old[learner] = stored["progress"]
        removed |= {(learner, slug): row for slug, row in stored.get("cards", {}).items()}
        own |= {trial.applied_at, trial.undone_at}
    progress = _progress(exercise.course_id, Progress.Kind.EXERCISE, exercise.slug, list(states))
    for learner, row in _set_progress(progress, states, Times(at, own), old).items():
        earlier.setdefault(learner, {})["progress"] = row
    gone, due = set[Card](), set[Card]()
    for trial in trials:
        names = (str(trial.before["known_mistake"]), trial.known_mistake)
        was, now = reversed(names) if undo else names
        old_card, new_card = (
            (trial.submission.learner_id, f"{exercise.slug}/{name}") for name in (was, now)
        )
        if was and was != now and old_card not in mistakes:
            gone.add(old_card)
        if now and was != now and (new_card in removed if undo else _is_mistake(trial)):
            due.add(new_card)
    kind = ReviewCard.Kind.MISTAKE
    for (learner, slug), row in _set_cards(exercise.course_id, kind, gone, due, removed).items():
        earlier.setdefault(learner, {}).setdefault("cards", {})[slug] = row
    for learner, trial in by_learner.items():
        if not undo and learner in earlier:
            trial.before["kept"] = earlier[learner]
            trial.save(update_fields=["before"])


def _trials_of(regrade: CodeRegrade, learners: Collection[int]) -> QuerySet[TrialVerdict]:
    """Return all that a regrade changed of these learners, the first last."""
    rows = regrade.trials.filter(submission__learner__in=learners, applied_at__isnull=False)
    names = ("before", "applied_at", "undone_at", "submission__learner")
    return rows.select_related("submission").only(*names).order_by("-pk")


def _is_mistake(trial: TrialVerdict) -> bool:
    """Return whether the submission is named for a mistake now, not for a convention."""
    report = read_report(trial.report, number=trial.submission_id)
    return bool(report and report.known_mistake and report.known_mistake.kind == "mistake")


# ---- one row of progress, one card


def _progress(course: int, kind: str, slug: str, learners: Collection[int]) -> QuerySet[Progress]:
    return Progress.objects.filter(course=course, kind=kind, slug=slug, learner__in=learners)


def _set_progress(
    rows: Iterable[Progress],
    states: Mapping[int, str],
    times: Times,
    before: Mapping[int, Row | None],
) -> dict[int, Row]:
    """Give learners' rows these states; return those that changed, as they were.

    A row that was in this state before the regrade that is undone is again as it was; the time of
    the last write too, unless the learner did something since the regrade.
    """
    changed = {}
    for row in rows:
        state, old = states[row.learner_id], before.get(row.learner_id)
        is_own = row.updated_at in times.own
        if old and old["state"] == state and (is_own or state != row.state):
            updated_at = _time(old.get("updated_at")) if is_own else None
            values = {"done_at": _time(old["done_at"]), "updated_at": updated_at or row.updated_at}
        elif state != row.state:
            done_at = (row.done_at or times.at) if state == DONE else None
            values = {"done_at": done_at, "updated_at": times.at}
        else:
            continue
        changed[row.learner_id] = _as_json(row, PROGRESS)
        Progress.objects.filter(pk=row.pk).update(state=state, **values)
    return changed


def _set_cards(
    course: int,
    kind: str,
    gone: Collection[Card],
    due: Collection[Card],
    removed: Mapping[Card, Row],
) -> dict[Card, Row]:
    """Remove cards that nobody reviewed, and make those that are lacking; return the removed ones.

    A card that an undone regrade `removed` comes back as it was.
    """
    learners, slugs = {learner for learner, _ in (*gone, *due)}, {slug for _, slug in (*gone, *due)}
    rows = ReviewCard.objects.select_for_update().filter(
        course=course, kind=kind, learner__in=learners, slug__in=slugs
    )
    there = {(card.learner_id, card.slug): card for card in rows}
    taken: dict[Card, Row] = {}
    for key in gone:
        if (card := there.get(key)) is not None and not card.reviews:
            taken[key] = _as_json(card, CARD)
            card.delete()
    due_at = timezone.now() + FIRST_DUE_AFTER
    ReviewCard.objects.bulk_create(
        ReviewCard(**_from_json(removed[learner, slug]))
        if (learner, slug) in removed
        else ReviewCard(learner_id=learner, course_id=course, kind=kind, slug=slug, due_at=due_at)
        for learner, slug in sorted(set(due) - set(there))
    )
    return taken


def _as_json(row: Progress | ReviewCard, names: Iterable[str]) -> Row:
    values = {name: getattr(row, name) for name in names}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }


def _from_json(row: Row) -> dict[str, Any]:
    return {name: _time(value) if name in TIMES else value for name, value in row.items()}


def _time(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None
