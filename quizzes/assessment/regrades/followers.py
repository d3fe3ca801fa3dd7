"""What follows from how responses count: progress in a question and in quizzes, the review card.

After a regrade it is worked out anew from all responses of each learner, and so it may get worse as
well as better. What was there before is returned, so that an undoing gives it back as it was. Only
learners whose progress in the question is known have any: data that somebody deleted stays gone.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from quizzes.assessment.models import Attempt, Question, Quiz, Response
from quizzes.assessment.regrades.plan import pieces
from quizzes.learners.models import Progress, ReviewCard
from quizzes.learners.review import FIRST_DUE_AFTER

DONE, NEEDS_WORK = Progress.State.DONE, Progress.State.NEEDS_WORK
Kept = dict[str, Any]  # of one learner: {"question": row, "quizzes": {key: row}, "card": row}
Followers = Mapping[int, Kept]  # by learner
PROGRESS = ("pk", "state", "done_at", "updated_at")
CARD = [field.attname for field in ReviewCard._meta.concrete_fields]


def follow(
    question: Question,
    *,
    learners: Collection[int],
    quizzes: Collection[tuple[int, int]],
    missed: Collection[int],
    at: datetime,
    before: Followers | None = None,
    regraded_at: datetime | None = None,
) -> Followers:
    """Work out anew what follows for these learners, and for these (learner, quiz).

    `missed`: learners with an answer that became a wrong one; they get a review card. `at`: the
    time that is written. `before`: what an undone regrade returned, which wrote `regraded_at`.
    Learners are locked. Return what was there, where it changed.
    """
    times = _Times(at, regraded_at)
    kept: dict[int, Kept] = {}
    for some in pieces(sorted(learners)):
        known = _rows(question.course_id, Progress.Kind.QUESTION, question.slug, some)
        right, wrong = _counted(question, some)
        for learner in some:
            if learner not in known:
                continue
            state = DONE if learner in right else NEEDS_WORK if learner in wrong else None
            back = (before or {}).get(learner, {}).get("question")
            if _put(known[learner], state, back, times):
                kept.setdefault(learner, {})["question"] = _plain(known[learner])
        newly = set(wrong) & set(missed)
        _follow_cards(question, list(known), wrong=wrong, newly=newly, back=before or {}, kept=kept)
    _follow_quizzes(quizzes, before or {}, kept, times)
    return kept


def _counted(question: Question, learners: Collection[int]) -> tuple[set[int], set[int]]:
    """Return which learners have a right answer that counts, and which a wrong one."""
    theirs = Q(attempt__submitted_at__isnull=False, attempt__learner__in=learners)
    theirs |= Q(attempt=None, learner__in=learners)
    rows = Response.objects.filter(
        theirs, version__question=question, answered_at__isnull=False, is_dropped=False
    )
    whose = Coalesce("attempt__learner", "learner")
    found = set(rows.order_by().values_list(whose, "is_right"))
    right = {learner for learner, is_right in found if is_right}
    return right, {learner for learner, is_right in found if not is_right}


def _rows(course: int, kind: str, slug: str, learners: Collection[int]) -> dict[int, Progress]:
    rows = Progress.objects.filter(course=course, kind=kind, slug=slug, learner__in=learners)
    return {row.learner_id: row for row in rows}


class _Times(NamedTuple):
    """When it is written, and when the regrade was that is undone."""

    at: datetime
    regraded_at: datetime | None


def _put(row: Progress, state: str | None, back: Mapping[str, Any] | None, times: _Times) -> bool:
    """Give a row of progress this state, None for none; return whether that changes it.

    Where it was in this state before the regrade that is undone, it is again as it was. When it was
    written last is that too, unless the learner did something since the regrade.
    """
    state = state or Progress.State.SEEN
    if row.state == state:
        return False
    done_at, updated_at = (row.done_at or times.at) if state == DONE else None, times.at
    if back is not None and back["state"] == state:
        done_at, updated_at = _time(back["done_at"]), row.updated_at
        if row.updated_at == times.regraded_at:
            updated_at = _time(back["updated_at"]) or times.at
    Progress.objects.filter(pk=row.pk).update(state=state, done_at=done_at, updated_at=updated_at)
    return True


def _follow_quizzes(
    quizzes: Collection[tuple[int, int]], before: Followers, kept: dict[int, Kept], times: _Times
) -> None:
    """Set each quiz to done where an attempt earned everything, else to in need of work."""
    wanted: dict[int, list[int]] = {}
    for learner, key in sorted(quizzes):
        wanted.setdefault(key, []).append(learner)
    for quiz in Quiz.objects.filter(pk__in=wanted):
        for some in pieces(wanted[quiz.pk]):
            known = _rows(quiz.course_id, Progress.Kind.QUIZ, quiz.slug, some)
            over = Attempt.objects.filter(
                quiz=quiz, learner__in=some, submitted_at__isnull=False
            ).order_by()
            tried = set(over.values_list("learner", flat=True))
            whole = set(over.filter(earned=F("possible")).values_list("learner", flat=True))
            for learner in tried & set(known):
                back = before.get(learner, {}).get("quizzes", {}).get(str(quiz.pk))
                if _put(known[learner], DONE if learner in whole else NEEDS_WORK, back, times):
                    theirs = kept.setdefault(learner, {}).setdefault("quizzes", {})
                    theirs[str(quiz.pk)] = _plain(known[learner])


def _follow_cards(
    question: Question,
    learners: Collection[int],
    *,
    wrong: Collection[int],
    newly: Collection[int],
    back: Followers,
    kept: dict[int, Kept],
) -> None:
    """Remove cards that nothing wrong stands behind and nobody reviewed; make those that lack.

    A card that a regrade removed comes back as it was when the regrade is undone.
    """
    cards = {card.learner_id: card for card in _cards(question, learners)}
    for learner, card in cards.items():
        if learner not in wrong and not card.reviews:
            kept.setdefault(learner, {})["card"] = {
                name: _json(getattr(card, name)) for name in CARD
            }
            card.delete()
    removed = {learner: back[learner]["card"] for learner in back if "card" in back[learner]}
    lacking = (set(newly) & set(learners)) - set(cards)
    if question.withdrawn_at is not None:
        lacking &= set(removed)
    ReviewCard.objects.bulk_create(
        _card_again(removed[learner]) if learner in removed else _new_card(question, learner)
        for learner in sorted(lacking)
    )


def _new_card(question: Question, learner: int) -> ReviewCard:
    return ReviewCard(
        learner_id=learner,
        course_id=question.course_id,
        kind=ReviewCard.Kind.QUESTION,
        slug=question.slug,
        due_at=timezone.now() + FIRST_DUE_AFTER,
    )


def _cards(question: Question, learners: Collection[int]) -> QuerySet[ReviewCard]:
    return ReviewCard.objects.select_for_update().filter(
        learner__in=learners,
        course=question.course_id,
        kind=ReviewCard.Kind.QUESTION,
        slug=question.slug,
    )


def _card_again(row: Mapping[str, Any]) -> ReviewCard:
    times = {"due_at", "reviewed_at", "noted_at"}
    return ReviewCard(
        **{name: _time(value) if name in times else value for name, value in row.items()}
    )


def _plain(row: Progress) -> dict[str, Any]:
    return {name: _json(getattr(row, name)) for name in PROGRESS}


def _json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _time(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None
