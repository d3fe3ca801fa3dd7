"""What the frame counts is the same, whether it is read with a page's progress or by itself."""

import random
from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.classes.messages import announce, comment_on, comments_to, unread_by, unread_of
from quizzes.classes.models import Comment
from quizzes.learners.account_backends import AccountBackend
from quizzes.learners.models import Learner, ReviewCard
from quizzes.learners.progress import course_rows, record_progress
from quizzes.learners.review import all_due_cards, due_cards, note_outcomes
from quizzes.page_reads import reading_page
from quizzes.study.learner_rows import learner_rows
from tests.courses import some_course
from tests.exercises.making import ready_exercise
from tests.factories import create_account, create_class, create_member, create_submission

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def add_cards(learner: Learner, draw: random.Random) -> None:
    """Give a learner cards that were due days ago, are due in days, or were set aside."""
    for number in range(draw.randrange(12)):
        ReviewCard.objects.create(
            learner=learner,
            course=some_course(),
            kind=draw.choice(["question", "mistake"]),
            slug=f"exercise/card-{number}",
            due_at=timezone.now() + timedelta(days=draw.choice([-20, -8, -6, -1, 3]), hours=1),
            is_set_aside=draw.random() < 0.2,
        )


def test_due_cards_are_the_same_with_progress():
    draw, counts = random.Random(1), set()
    for _ in range(12):
        learner = Learner.objects.create()
        add_cards(learner, draw)
        now = timezone.now()
        rows = learner.review_cards.filter(is_set_aside=False, due_at__lte=now)
        keys = list(rows.order_by("due_at", "pk").values_list("pk", flat=True))
        times = list(rows.order_by("due_at", "pk").values_list("due_at", flat=True))
        assert [card.key for card in due_cards(learner)] == keys
        assert [card.key for card in due_cards(learner, at=now)] == keys
        for course in (some_course(), None):
            with reading_page():
                learner_rows(learner, course)
                with CaptureQueriesContext(connection) as queries:
                    cards = all_due_cards(learner)
            assert not queries.captured_queries
            assert [card.key for card in cards] == keys
            assert [card.due_at for card in cards] == times
        counts.add(bool(keys))
    assert counts == {True, False}


def test_counts_are_read_only_where_kept():
    learner = Learner.objects.create()
    card = {"course": some_course(), "kind": "question", "slug": "row-zero"}
    ReviewCard.objects.create(learner=learner, due_at=timezone.now(), **card)
    record_progress(some_course().pk, learner=learner, kind="quiz", slug="codes", state="done")
    rows, statements = [], []
    for page in (nullcontext, reading_page):
        for course in (some_course(), None):
            with page(), CaptureQueriesContext(connection) as queries:
                rows.append(learner_rows(learner, course).states)
            (query,) = queries.captured_queries
            statements.append(ReviewCard._meta.db_table in query["sql"])
    assert rows == 4 * [{("quiz", "codes"): "done"}]
    assert statements == [False, False, True, True]


def test_reviewed_card_is_not_due_on_same_page():
    learner = Learner.objects.create()
    card = {"course": some_course(), "kind": "question", "slug": "row-zero"}
    ReviewCard.objects.create(learner=learner, due_at=timezone.now(), **card)
    with reading_page():
        course_rows(some_course().pk, learner)
        assert due_cards(learner)
        outcome = {"missed": (), "remembered": ["row-zero"]}
        note_outcomes(some_course().pk, learner=learner, kind="question", **outcome)
        assert not due_cards(learner)


def test_unread_messages_are_the_same_with_progress():
    """A member of two classes, one of which wrote; staff, and an account without a class."""
    staff = create_account("ida", role="")
    one, two = (create_class(name, course=some_course(), by=staff) for name in ("one", "two"))
    ada, bea = create_member(one, "ada"), create_member(one, "bea")
    create_member(two, "ada2")
    two.memberships.create(user=ada.user, name="ada", state="active", joined_at=timezone.now())
    announce(cohort=one, by=staff, title="To all", text="")
    announce(cohort=two, by=staff, title="To all", text="")
    announce(cohort=one, by=staff, title="To Bea", text="", to=[bea])
    work = create_submission(ready_exercise(), ada.user.learner)
    first, *_ = (comment_on(submission=work, cohort=one, by=staff, text=str(n)) for n in range(3))
    Comment.objects.filter(pk=first.pk).update(seen_at=timezone.now())
    others = [create_account("eve", role="")]
    counts = []
    for account in (ada.user, bea.user, staff, *others):
        user = AccountBackend().get_user(account.pk)
        learner = Learner.objects.get_or_create(user=user)[0]
        user = AccountBackend().get_user(account.pk)
        alone = unread_of(user)
        with reading_page():
            course_rows(some_course().pk, user.learner)
            with CaptureQueriesContext(connection) as queries:
                assert unread_of(user) == alone
        assert not queries.captured_queries
        for cohort in (one, two):
            new = comments_to(learner).filter(cohort=cohort, seen_at=None).count()
            assert unread_by(user.learner).comments.get(cohort.pk, 0) == new
        counts.append((alone.count, alone.has_class))
    assert counts == [(4, True), (2, True), (0, True), (0, False)]


def test_viewer_reads_own_messages_beside_students_rows():
    staff = create_account("ida", role="")
    Learner.objects.create(user=staff)
    cohort = create_class(course=some_course(), by=staff)
    student = create_member(cohort, "ada").user
    announce(cohort=cohort, by=staff, title="To all", text="")
    with reading_page():
        course_rows(some_course().pk, student.learner)
        assert unread_of(AccountBackend().get_user(staff.pk)).count == 0
        assert unread_of(AccountBackend().get_user(student.pk)).count == 1
