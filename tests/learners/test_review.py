"""The review queue: what is missed comes back, later each time it is known, once for two tabs."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from quizzes.learners.idle_learners import forget_idle_learners
from quizzes.learners.models import Learner, Progress, ReviewCard, User
from quizzes.learners.services import (
    adopt,
    due_cards,
    due_count,
    note_missed,
    note_outcomes,
    record_review,
)
from tests.courses import some_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def learner():
    return Learner.objects.create()


@pytest.fixture
def card(learner):
    note_missed(some_course().pk, learner=learner, kind="question", slug="row-zero")
    return ReviewCard.objects.get()


def days_until_due(card, after):
    card.refresh_from_db()
    return (card.due_at - after).total_seconds() / 86_400


def test_what_is_missed_is_due_the_next_day_and_once(learner, card):
    assert not due_count(learner)
    assert days_until_due(card, timezone.now()) == pytest.approx(1, abs=0.01)
    note_missed(some_course().pk, learner=learner, kind="question", slug="row-zero")
    tomorrow = timezone.now() + timedelta(days=1)
    assert [due.key for due in due_cards(learner, at=tomorrow)] == [card.pk]
    ReviewCard.objects.update(due_at=timezone.now())
    assert due_count(learner) == 1
    assert due_count(None) == 0


def test_known_again_and_again_it_comes_later_each_time(card):
    at, waits = timezone.now(), []
    for seen in range(6):
        assert record_review(card=card, seen=seen, remembered=True, at=at)
        waits.append(days_until_due(card, at))
        at = card.due_at
    assert waits == sorted(waits)
    assert waits[0] >= 1
    assert 100 < waits[-1] <= 365


def test_forgotten_it_comes_back_within_the_hour_and_then_sooner_than_before(card):
    at = timezone.now()
    for seen in range(4):
        record_review(card=card, seen=seen, remembered=True, at=at)
        last, at = days_until_due(card, at), card.due_at
    record_review(card=card, seen=4, remembered=False, at=at)
    assert days_until_due(card, at) < 1 / 24
    record_review(card=card, seen=5, remembered=True, at=card.due_at)
    assert days_until_due(card, at) < last


def test_of_two_tabs_the_second_changes_nothing(card):
    assert record_review(card=card, seen=0, remembered=True)
    before = ReviewCard.objects.values().get()
    assert not record_review(card=card, seen=0, remembered=False)
    assert ReviewCard.objects.values().get() == before


def test_a_right_answer_elsewhere_counts_when_it_was_due_and_not_before(learner, card):
    ReviewCard.objects.update(due_at=timezone.now())
    note_outcomes(
        some_course().pk, learner=learner, kind="question", missed=[], remembered=["row-zero"]
    )
    card.refresh_from_db()
    assert (card.reviews, due_count(learner)) == (1, 0)
    note_outcomes(
        some_course().pk, learner=learner, kind="question", missed=[], remembered=["row-zero"]
    )
    card.refresh_from_db()
    assert card.reviews == 1
    note_outcomes(
        some_course().pk, learner=learner, kind="question", missed=[], remembered=["never-missed"]
    )
    assert ReviewCard.objects.count() == 1


def test_outcomes_at_once_are_outcomes_one_by_one(learner):
    """A new card, one that lapses, one that is due and one that is not yet."""
    course, other, now = some_course().pk, Learner.objects.create(), timezone.now()
    facts = {"course_id": course, "kind": "question", "reviews": 2, "state": 2, "stage": None}
    facts |= {"stability": 3.0, "difficulty": 5.0, "reviewed_at": now - timedelta(days=4)}
    for who in (learner, other):
        for slug, days in (("lapses", 1), ("due", -1), ("early", 2)):
            due_at = now + timedelta(days=days)
            ReviewCard.objects.create(learner=who, slug=slug, due_at=due_at, **facts)
    named = {
        "kind": "question",
        "missed": ["new", "lapses"],
        "remembered": ["due", "early", "none"],
    }
    note_outcomes(course, learner=learner, **named)
    for slug in named["missed"]:
        note_outcomes(course, learner=other, kind="question", missed=[slug])
    for slug in named["remembered"]:
        note_outcomes(course, learner=other, kind="question", missed=[], remembered=[slug])
    rows = ReviewCard.objects.order_by("slug").values_list("slug", "reviews", "state")
    expected = [("due", 3, 2), ("early", 2, 2), ("lapses", 3, 3), ("new", 0, 1)]
    assert list(rows.filter(learner=learner)) == list(rows.filter(learner=other)) == expected


@pytest.mark.both_databases
def test_what_is_missed_once_more_lapses(learner, card):
    at = timezone.now()
    record_review(card=card, seen=0, remembered=True, at=at)
    note_missed(some_course().pk, learner=learner, kind="question", slug="row-zero")
    assert days_until_due(card, at) == pytest.approx(1, abs=0.01)


def test_the_longest_waiting_comes_first(learner):
    for hours in (1, 3, 2):
        due_at = timezone.now() - timedelta(hours=hours)
        ReviewCard.objects.create(
            course=some_course(), learner=learner, kind="question", slug=str(hours), due_at=due_at
        )
    ReviewCard.objects.create(
        course=some_course(),
        learner=learner,
        kind="question",
        slug="later",
        due_at=timezone.now() + timedelta(1),
    )
    assert [card.slug for card in due_cards(learner)] == ["3", "2", "1"]


def test_at_sign_in_of_two_cards_about_one_thing_the_earlier_due_one_stays():
    user = User.objects.create(username="ada")
    known, anonymous = Learner.objects.create(user=user), Learner.objects.create()
    now = timezone.now()
    for who, slug, days in (
        (known, "a", 5),
        (anonymous, "a", 1),
        (known, "b", 1),
        (anonymous, "b", 5),
        (anonymous, "c", 2),
    ):
        ReviewCard.objects.create(
            course=some_course(),
            learner=who,
            kind="question",
            slug=slug,
            due_at=now + timedelta(days=days),
        )
    adopt(learner=anonymous, user=user)
    left = {card.slug: (card.due_at - now).days for card in known.review_cards.all()}
    assert left == {"a": 1, "b": 1, "c": 2}
    assert ReviewCard.objects.count() == 3


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("model", "facts"),
    [
        (Progress, {"kind": "planet", "slug": "a", "state": "done"}),
        (Progress, {"kind": "step", "slug": "a", "state": "perfect"}),
        (ReviewCard, {"kind": "planet", "slug": "a"}),
    ],
)
def test_the_database_refuses_kinds_and_states_that_nobody_knows(learner, model, facts):
    course = some_course()
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(course=course, learner=learner, **facts)


def test_an_idle_visitor_is_forgotten_with_the_queue(learner, card):
    Learner.objects.update(last_seen_at=timezone.now() - timedelta(days=91))
    assert forget_idle_learners() == 1
    assert not ReviewCard.objects.exists()
