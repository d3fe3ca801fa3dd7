"""The review queue: missed questions come back when they are about to be forgotten.

The times are those of FSRS (Free Spaced Repetition Scheduler, version 6), by the `fsrs` package.
"""

import itertools
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from django.db import transaction
from django.db.models import CharField, F, QuerySet, Value
from django.http import HttpRequest
from django.utils import timezone
from fsrs import Card, Rating, Scheduler, State

from quizzes.learners.hidden_answers import Hidden, hidden_answers
from quizzes.learners.identity import current_learner
from quizzes.learners.models import Learner, ReviewCard
from quizzes.learners.progress import COLUMNS, NO_TIME, Row
from quizzes.page_reads import forget_read, read_once
from quizzes.request_values import RequestValue
from quizzes.statements import Param, Reader, TimeParam

AGAIN_AFTER = timedelta(minutes=10)  # a question missed in a review comes back in the same sitting
FIRST_DUE_AFTER = timedelta(days=1)  # its reason was just read: recalling it now proves nothing
LATEST = 365  # days; a course is not for life
# Without fuzz a day's cards fall due together, which with a handful of them is no harm.
_SCHEDULER = Scheduler(
    learning_steps=[AGAIN_AFTER],
    relearning_steps=[AGAIN_AFTER],
    maximum_interval=LATEST,
    enable_fuzzing=False,
)


class NamedCard(NamedTuple):
    """A review card: its key, and the course, kind and name of what it asks."""

    key: int
    course: int
    kind: str
    slug: str
    due_at: datetime


DUE = "due card"  # a kind of rows beside progress
_DUE_CARDS: RequestValue[list[NamedCard]] = RequestValue("due_cards")


# The header of every page counts these. Which of them work of a class hides cannot be counted in
# SQL, so all are read: nobody lets hundreds wait for long.
def due_cards(learner: Learner | None, *, at: datetime | None = None) -> list[NamedCard]:
    """Return the due cards, the longest waiting first.

    One query, none where the page has read the learner's progress, and one more where there are
    any: whether work of a class hides what they tell. None for a newcomer.
    """
    if learner is None:
        return []
    if at is None:
        return _shown(learner, all_due_cards(learner), timezone.now())
    return _shown(learner, _cards_of(_due_cards().read(learner=learner.pk, now=at)), at)


def all_due_cards(learner: Learner) -> list[NamedCard]:
    """Return the cards that are due now, those too that would tell a hidden answer."""
    values = {"learner": learner.pk, "now": timezone.now()}
    return _cards_of(read_once((DUE, learner.pk), lambda: _due_cards().read(**values)))


def next_waiting_card(learner: Learner | None) -> NamedCard | None:
    """Return the card that comes next, if no card is due."""
    rows = _cards_in_order().read(learner=learner.pk) if learner else []
    cards = itertools.starmap(NamedCard, rows)
    return next(iter(_shown(learner, cards, timezone.now())), None)


def _cards() -> QuerySet[ReviewCard]:
    rows = ReviewCard.objects.filter(learner=Param("learner"), is_set_aside=False)
    return rows.order_by("due_at", "pk")


@cache
def _cards_in_order() -> Reader[tuple[int, int, str, str, datetime]]:
    return Reader(_cards().values_list("pk", "course", "kind", "slug", "due_at"))


def due_card_rows() -> QuerySet[ReviewCard, Row]:
    """Return the cards of the parameter `learner` that are due at `now`, as rows beside progress.

    In any order.
    """
    named = (
        _cards()
        .filter(due_at__lte=TimeParam("now"))
        .annotate(
            row_kind=Value(DUE, output_field=CharField()),
            row_slug=F("slug"),
            row_text=F("kind"),
            row_key=F("pk"),
            row_left=F("course"),
            row_sitting=Value(0),
            row_at=F("due_at"),
            row_until=NO_TIME,
        )
    )
    return named.order_by().values_list(*COLUMNS)


@cache
def _due_cards() -> Reader[Row]:
    return Reader(due_card_rows())


def _cards_of(rows: Iterable[Row]) -> list[NamedCard]:
    cards = [
        NamedCard(key, course, kind, slug, at)
        for _, slug, kind, key, course, _, at, _ in rows
        if at is not None
    ]
    return sorted(cards, key=attrgetter("due_at", "key"))


def _shown(learner: Learner | None, rows: Iterable[NamedCard], now: datetime) -> list[NamedCard]:
    """Return the cards that tell no hidden answer; if only one course is shown, its cards."""
    cards = list(rows)
    if learner is not None and learner.only_course is not None:
        cards = [card for card in cards if card.course == learner.only_course]
    hidden = hidden_answers(learner, now) if cards else ()
    return [card for card in cards if not _tells(card, hidden)]


def _tells(card: NamedCard, hidden: Collection[Hidden]) -> bool:
    """Return whether a card would tell an answer that is hidden."""
    if card.kind == ReviewCard.Kind.QUESTION:
        return Hidden(card.course, "question", card.slug) in hidden
    return Hidden(card.course, "exercise", card.slug.partition("/")[0]) in hidden


def due_count(learner: Learner | None) -> int:
    """Return the number of due cards. Queries as `due_cards`."""
    return len(due_cards(learner))


def due_cards_of(request: HttpRequest) -> list[NamedCard]:
    """Return the due cards of a request's learner, read once for each request."""
    return _DUE_CARDS.get_or_set(request, lambda: due_cards(current_learner(request)))


def due_count_of(request: HttpRequest) -> int:
    """Return the number of these."""
    return len(due_cards_of(request))


def set_cards_aside(course: int, *, kind: str, slugs: Collection[str]) -> None:
    """Have the cards of a course about these things wait, and all others of this kind come back.

    What was withdrawn is not asked, so its card is never due; when the thing is back, so is its
    card, with everything that was remembered of it.
    """
    cards = ReviewCard.objects.filter(course=course, kind=kind)
    cards.filter(is_set_aside=False, slug__in=slugs).update(is_set_aside=True)
    cards.filter(is_set_aside=True).exclude(slug__in=slugs).update(is_set_aside=False)


def note_missed(course: int, *, learner: Learner, kind: str, slug: str) -> None:
    """Put what was missed in a course into the queue; see `note_outcomes`."""
    note_outcomes(course, learner=learner, kind=kind, missed=[slug])


@transaction.atomic(savepoint=False)
def note_outcomes(
    course: int,
    *,
    learner: Learner,
    kind: str,
    missed: Collection[str],
    remembered: Collection[str] = (),
) -> None:
    """Put what was missed into the queue, and count right answers as reviews that were due.

    What was missed is due the next day; a card that exists lapses, and comes back the next day too,
    since it was missed outside a review. Two queries, and more for cards that are rated only.
    """
    now = timezone.now()
    forget_read((DUE, learner.pk))  # a page that ends an attempt whose time is over
    held = ReviewCard.objects.select_for_update().order_by("pk")
    named = held.filter(learner=learner, course=course, kind=kind, slug__in={*missed, *remembered})
    cards = {card.slug: card for card in named}
    tomorrow = now + FIRST_DUE_AFTER
    new = (
        ReviewCard(learner=learner, course_id=course, kind=kind, slug=slug, due_at=tomorrow)
        for slug in missed
        if slug not in cards
    )
    ReviewCard.objects.bulk_create(new, ignore_conflicts=True)  # another request may be faster
    for slug, card in cards.items():
        if slug in missed and card.reviews:
            _rate(card, Rating.Again, now)
            card.due_at = tomorrow
            card.save(update_fields=["due_at"])
        elif slug not in missed and card.due_at <= now:
            _rate(card, Rating.Good, now)


@transaction.atomic
def record_review(
    *, card: ReviewCard, seen: int, remembered: bool, at: datetime | None = None
) -> bool:
    """Rate a card that was shown after `seen` reviews; False when another tab was faster."""
    held = ReviewCard.objects.select_for_update().filter(pk=card.pk, reviews=seen).first()
    if held is None:
        return False
    _rate(held, Rating.Good if remembered else Rating.Again, at or timezone.now())
    return True


def rename_cards(course: int, *, kind: str, old: str, new: str) -> None:
    """Give the cards of a thing its new name; of two of one learner keep the one due first.

    Call it inside a transaction.
    """
    cards = ReviewCard.objects.filter(course=course, kind=kind)
    theirs = cards.filter(slug=old)
    for card in cards.filter(slug=new, learner__in=theirs.values("learner")):
        max(card, theirs.get(learner=card.learner_id), key=lambda card: card.due_at).delete()
    theirs.update(slug=new)


def rename_cards_below(course: int, *, kind: str, old: str, new: str) -> None:
    """Do the same for everything whose name begins with `old/`."""
    cards = ReviewCard.objects.filter(course=course, kind=kind, slug__startswith=f"{old}/")
    for slug in set(cards.values_list("slug", flat=True)):
        rename_cards(course, kind=kind, old=slug, new=f"{new}{slug.removeprefix(old)}")


def settle_review_cards(*, source: Learner, target: Learner) -> None:
    """Keep, of two cards about one thing, the one that is due first, before rows change hands."""
    theirs = {(card.course_id, card.kind, card.slug): card for card in target.review_cards.all()}
    for card in source.review_cards.all():
        other = theirs.get((card.course_id, card.kind, card.slug))
        if other is not None:
            max(card, other, key=lambda card: card.due_at).delete()


def _rate(row: ReviewCard, rating: Rating, at: datetime) -> None:
    card = Card(
        card_id=row.pk,
        state=State(row.state),
        step=row.stage,
        stability=row.stability,
        difficulty=row.difficulty,
        due=row.due_at,
        last_review=row.reviewed_at,
    )
    rated, _ = _SCHEDULER.review_card(card, rating, review_datetime=at)
    row.state, row.stage = rated.state.value, rated.step
    row.stability, row.difficulty = rated.stability, rated.difficulty
    row.due_at, row.reviewed_at, row.reviews = rated.due, at, row.reviews + 1
    row.save()
