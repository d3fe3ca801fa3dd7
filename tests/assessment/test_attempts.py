"""Attempts: one open at a time, order fixed, answers kept, submitted once, also when raced."""

import pytest
from django.db import IntegrityError, transaction

from quizzes.assessment.models import Attempt, Question, Response
from quizzes.assessment.presenters import attempt_questions
from quizzes.assessment.services import (
    AttemptClosedError,
    NoSuchChoiceError,
    answer,
    history_of,
    start_attempt,
    submit_attempt,
)
from quizzes.assessment.single_question import SubmittedAnswer, answer_inline
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


@pytest.mark.slow
def test_starting_twice_gives_the_open_attempt(quiz, learner):
    first = start_attempt(learner=learner, quiz=quiz)
    assert start_attempt(learner=learner, quiz=quiz) == first
    assert [r.version.question.slug for r in first.responses.all()] == ["two", "one", "three"]


@pytest.mark.both_databases(postgresql="soak")
def test_options_are_shuffled_once_and_the_order_stays(quiz):
    orders = set()
    for _ in range(20):
        attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
        shown = [[option.pk for option in q.options] for q in attempt_questions(attempt)]
        assert shown == [[option.pk for option in q.options] for q in attempt_questions(attempt)]
        orders.add(str(shown))
    assert len(orders) > 1


@pytest.mark.both_databases(postgresql="soak")
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
    assert (history.best.right, history.best.question_count, history.submitted) == (3, 3, 2)


def test_blank_counts_as_wrong(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    submit_attempt(attempt=attempt)
    assert history_of(learner, quiz).best.right == 0


def test_blanks_are_asked_about_and_what_was_chosen_is_saved(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    picked = choices(attempt, key=True)
    blank = picked.popitem()
    assert not submit_attempt(attempt=attempt, choices=picked, blanks=False)
    assert Attempt.objects.get().submitted_at is None
    assert attempt.responses.filter(choice__isnull=False).count() == 2
    assert submit_attempt(attempt=attempt, choices=dict([blank]), blanks=False)
    assert history_of(learner, quiz).best.right == 3


def test_a_choice_that_was_not_offered_submits_nothing(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    with pytest.raises(NoSuchChoiceError):
        submit_attempt(attempt=attempt, choices={attempt.responses.first().pk: 10**9})
    assert Attempt.objects.get().submitted_at is None
    assert not Progress.objects.exists()


def test_nothing_changes_after_submission(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    picked = choices(attempt, key=True)
    assert submit_attempt(attempt=attempt)
    with pytest.raises(AttemptClosedError) as again:
        submit_attempt(attempt=attempt)
    assert not again.value.choices_lost
    with pytest.raises(AttemptClosedError) as late:
        answer(attempt=attempt, choices=picked)
    assert late.value.choices_lost
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
    first = answer_inline(
        learner=learner, question=question, step="a/b", answer=SubmittedAnswer(wrong.pk)
    )
    second = answer_inline(
        learner=learner, question=question, step="a/b", answer=SubmittedAnswer(key.pk)
    )
    assert (second.pk, second.choice) == (None, key)  # judged, and not stored
    kept = Response.objects.get()
    assert (kept, kept.choice, kept.tries) == (first, wrong, first.tries + 1)
    other = Question.objects.get(slug="two").current.options.first()
    with pytest.raises(NoSuchChoiceError):
        answer_inline(
            learner=learner, question=question, step="a/b", answer=SubmittedAnswer(other.pk)
        )


def test_signing_in_with_two_open_attempts_keeps_both_and_one_open(quiz, learner):
    user = User.objects.create_user("ada")
    own = Learner.objects.create(user=user)
    begun = start_attempt(learner=learner, quiz=quiz)
    answer(attempt=begun, choices=choices(begun, key=True))
    start_attempt(learner=own, quiz=quiz)
    question = Question.objects.get(slug="one")
    for who in (learner, own):
        option = question.current.options.first().pk
        answer_inline(learner=who, question=question, step="a/b", answer=SubmittedAnswer(option))
    other = own.attempts.get()
    answer(attempt=other, choices=dict([choices(other, key=False).popitem()]))
    adopt(learner=learner, user=user)
    assert Attempt.objects.filter(learner=own).count() == 2
    assert Attempt.objects.get(learner=own, submitted_at=None) == begun
    assert Response.objects.filter(learner=own).count() == 1


@pytest.mark.parametrize("answered_by", ["visitor", "account"])
def test_an_open_attempt_without_answers_gives_way(quiz, learner, answered_by):
    user = User.objects.create_user("ada")
    own = Learner.objects.create(user=user)
    attempts = {
        "visitor": start_attempt(learner=learner, quiz=quiz),
        "account": start_attempt(learner=own, quiz=quiz),
    }
    kept = attempts[answered_by]
    answer(attempt=kept, choices=dict([choices(kept, key=True).popitem()]))
    adopt(learner=learner, user=user)
    assert Attempt.objects.get() == kept
    assert Attempt.objects.get().learner == own
