"""Answers given under the first release survive the way to the newest tables."""

from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.learners.models import Learner
from tests.factories import assign, create_class, create_quiz

# It migrates back and on again, and what was migrated once never changes.
pytestmark = [pytest.mark.both_databases, pytest.mark.soak]


@pytest.fixture
def first_release(transactional_db: None) -> Any:
    """The tables of the first release, then of the newest again."""
    del transactional_db
    yield MigrationExecutor(connection).migrate([("assessment", "0001_initial")]).apps
    to_the_newest()


def to_the_newest() -> None:
    """Migrate all rooms: on the way back others went along, since rows got a course."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_answers_of_the_first_release_are_known_to_be_right_or_wrong(first_release: Any) -> None:
    model = first_release.get_model
    question = model("assessment", "Question").objects.create(slug="one")
    version = model("assessment", "QuestionVersion").objects.create(
        question=question, number=1, content_hash="x", prompt="?", step="sums/adding"
    )
    for order, is_key in enumerate((True, False), 1):
        option = model("assessment", "Option").objects.create(
            version=version, order=order, text="two", is_key=is_key, reason="Because."
        )
        model("assessment", "Response").objects.create(
            learner=model("learners", "Learner").objects.create(),
            step="sums/adding",
            version=version,
            choice=option,
            option_order=[],
            answered_at=timezone.now(),
        )
    to_the_newest()
    assert {one.choice.is_key: one.is_right for one in Response.objects.all()} == {
        True: True,
        False: False,
    }


@pytest.fixture
def named_sittings(transactional_db: None) -> Any:
    """Take the tables back to sittings that are named, when called; the newest come at the end."""
    del transactional_db
    before = [("assessment", "0018_plans_that_were_given_up")]
    yield lambda: MigrationExecutor(connection).migrate(before).apps.get_model
    to_the_newest()


def test_named_sittings_become_keys_and_names_again(named_sittings: Any) -> None:
    assigned, other = (
        assign(create_class(slug), create_quiz(slug)) for slug in ("autumn", "spring")
    )
    ada, bob = Learner.objects.create(), Learner.objects.create()
    for learner, work in ((ada, assigned), (bob, assigned), (ada, None)):
        sitting = work.sitting if work else None
        Attempt.objects.create(learner=learner, quiz=assigned.quiz, sitting=sitting)
    for turn in range(2):
        rows = named_sittings()("assessment", "Attempt").objects
        names = [f"assignment:{assigned.pk}"] * 2 + [""] + [f"assignment:{other.pk}"] * turn
        assert list(rows.order_by("pk").values_list("sitting", flat=True)) == names
        if not turn:  # as the code of before wrote it
            name = f"assignment:{other.pk}"
            rows.create(learner_id=bob.pk, quiz_id=other.quiz_id, sitting=name)
        to_the_newest()
        keys = list(Attempt.objects.order_by("pk").values_list("sitting", flat=True))
        assert keys == [assigned.pk, assigned.pk, None, other.pk]
    for sitting in (assigned.sitting, None):
        with pytest.raises(IntegrityError):
            Attempt.objects.create(learner=ada, quiz=assigned.quiz, sitting=sitting)


def test_attempt_of_unknown_sitting_stops_upgrade(named_sittings: Any) -> None:
    quiz, learner = create_quiz(), Learner.objects.create()
    rows = named_sittings()("assessment", "Attempt").objects
    row = rows.create(learner_id=learner.pk, quiz_id=quiz.pk, sitting="exam:1")
    with pytest.raises(ValueError, match=f"attempt {row.pk} was begun for 'exam:1'"):
        to_the_newest()
    rows.all().delete()
