"""Attempts: one open at a time, order fixed, answers kept, submitted once, also when raced."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, connections, transaction

from quizzes.assessment.models import Attempt, Question, Response
from quizzes.assessment.services import (
    AttemptClosedError,
    NoSuchChoiceError,
    answer,
    answer_inline,
    start_attempt,
    submit_attempt,
)
from quizzes.assessment.showing import attempt_questions, history_of
from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.services import adopt
from tests.assessment.content import QUESTION, write_question

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def choices(attempt, *, key):
    """Return a choice for every response: the key, or an option that is not."""
    return {
        response.pk: response.version.options.filter(is_key=key).first().pk
        for response in attempt.responses.all()
    }


def test_starting_twice_gives_the_open_attempt(quiz, learner):
    first = start_attempt(learner=learner, quiz=quiz)
    assert start_attempt(learner=learner, quiz=quiz) == first
    assert [r.version.question.slug for r in first.responses.all()] == ["two", "one", "three"]


def test_options_are_shuffled_once_and_the_order_stays(quiz):
    orders = set()
    for _ in range(20):
        attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
        shown = [[option.pk for option in q.options] for q in attempt_questions(attempt)]
        assert shown == [[option.pk for option in q.options] for q in attempt_questions(attempt)]
        orders.add(str(shown))
    assert len(orders) > 1


def test_keep_last_keeps_the_last_option_last(quiz, tmp_path, load):
    write_question(tmp_path, "one", QUESTION + "keep_last: true\n")
    load()
    for _ in range(10):
        attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
        response = attempt.responses.get(version__question__slug="one")
        assert response.option_order[-1] == response.version.options.last().pk


def test_all_right_is_done_and_else_shaky(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    answer(attempt=attempt, choices=choices(attempt, key=False))
    assert submit_attempt(attempt=attempt)
    assert Progress.objects.get(kind="quiz").state == "shaky"
    again = start_attempt(learner=learner, quiz=quiz)
    assert again != attempt
    assert answer(attempt=again, choices=choices(again, key=True)) == 3
    submit_attempt(attempt=again)
    assert Progress.objects.get(kind="quiz").state == "done"
    history = history_of(learner, quiz)
    assert (history.best, history.latest, history.open) == (again, again, None)
    assert (history.best.right, history.best.asked, history.submitted) == (3, 3, 2)


def test_blank_counts_as_wrong(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    submit_attempt(attempt=attempt)
    assert history_of(learner, quiz).best.right == 0


def test_nothing_changes_after_submission(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    picked = choices(attempt, key=True)
    assert submit_attempt(attempt=attempt)
    assert not submit_attempt(attempt=attempt)
    with pytest.raises(AttemptClosedError):
        answer(attempt=attempt, choices=picked)
    assert not attempt.responses.filter(choice__isnull=False).exists()


def test_a_choice_must_have_been_offered_and_then_nothing_is_saved(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    other = start_attempt(learner=Learner.objects.create(), quiz=quiz)
    first, second, _ = attempt.responses.all()
    good = {first.pk: first.option_order[0]}
    for bad in (
        {second.pk: first.option_order[0]},
        {second.pk: 10**12},
        {other.responses.first().pk: other.responses.first().option_order[0]},
    ):
        with pytest.raises(NoSuchChoiceError):
            answer(attempt=attempt, choices=good | bad)
    assert not attempt.responses.filter(choice__isnull=False).exists()
    assert not other.responses.filter(choice__isnull=False).exists()


def test_the_database_refuses_half_an_answer(quiz, learner):
    response = start_attempt(learner=learner, quiz=quiz).responses.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Response.objects.filter(pk=response.pk).update(choice=response.option_order[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        Response.objects.filter(pk=response.pk).update(learner=learner)


def test_the_first_inline_answer_stands(quiz, learner):
    question = Question.objects.get(slug="one")
    key, wrong, _ = question.current.options.all()
    first = answer_inline(learner=learner, question=question, step="a/b", option=wrong.pk)
    second = answer_inline(learner=learner, question=question, step="a/b", option=key.pk)
    assert first == second
    assert second.choice == wrong
    other = Question.objects.get(slug="two").current.options.first()
    with pytest.raises(NoSuchChoiceError):
        answer_inline(learner=learner, question=question, step="a/b", option=other.pk)


def test_signing_in_with_two_open_attempts_keeps_both_and_one_open(quiz, learner):
    user = User.objects.create_user("ada")
    own = Learner.objects.create(user=user)
    begun = start_attempt(learner=learner, quiz=quiz)
    answer(attempt=begun, choices=choices(begun, key=True))
    start_attempt(learner=own, quiz=quiz)
    question = Question.objects.get(slug="one")
    for who in (learner, own):
        option = question.current.options.first().pk
        answer_inline(learner=who, question=question, step="a/b", option=option)
    adopt(learner=learner, user=user)
    assert Attempt.objects.filter(learner=own).count() == 2
    assert Attempt.objects.get(learner=own, submitted_at=None) == begun
    assert Response.objects.filter(learner=own).count() == 1


def at_once(action, times):
    """Run `action` in several threads, each on its own connection; return the results."""

    def run(_):
        try:
            return action()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(run, range(times)))


@pytest.mark.django_db(transaction=True)
def test_eight_clicks_on_start_make_one_attempt(quiz, learner):
    if connection.settings_dict["NAME"].startswith("file:memory"):
        # Threads share the one connection of an in-memory database: then run them in turn.
        found = [start_attempt(learner=learner, quiz=quiz) for _ in range(8)]
    else:
        found = at_once(lambda: start_attempt(learner=learner, quiz=quiz), 8)
    assert len({attempt.pk for attempt in found}) == 1
    assert Attempt.objects.count() == 1
    assert Response.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_eight_clicks_on_submit_submit_once(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    if connection.settings_dict["NAME"].startswith("file:memory"):
        results = [submit_attempt(attempt=attempt) for _ in range(8)]
    else:
        results = at_once(lambda: submit_attempt(attempt=attempt), 8)
    assert results.count(True) == 1
