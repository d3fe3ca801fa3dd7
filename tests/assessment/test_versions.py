"""Questions are versions: what somebody met never changes, equal content is never stored twice."""

import pytest
from django.db import IntegrityError, transaction

from quizzes.assessment.models import FrozenVersionError, Option, Question, QuestionVersion, Quiz
from quizzes.assessment.presenters import attempt_questions
from quizzes.assessment.services import start_attempt
from tests.assessment.content import QUESTION, write_question, write_quiz

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_loading_twice_changes_nothing(quiz, load):
    assert load() == ["unchanged"] * 4
    assert QuestionVersion.objects.count() == 3


def test_an_edit_makes_a_version_and_undoing_it_brings_the_old_one_back(quiz, tmp_path, load):
    write_question(tmp_path, "one", QUESTION.replace("fingers", "toes"))
    assert load().count("updated") == 1
    question = Question.objects.get(slug="one")
    assert question.current.number == 2
    write_question(tmp_path, "one")
    assert load().count("updated") == 1
    question.refresh_from_db()
    assert question.current.number == 1
    assert question.versions.count() == 2


def test_an_attempt_keeps_what_it_asked(quiz, learner, tmp_path, load):
    attempt = start_attempt(learner=learner, quiz=quiz)
    before = attempt_questions(attempt)
    write_question(tmp_path, "one", QUESTION.replace("three", "four"))
    write_quiz(tmp_path, "sums", "three")
    load()
    assert attempt_questions(attempt) == before
    assert Quiz.objects.get(slug="sums").places.count() == 1


def test_a_version_that_somebody_met_is_frozen(quiz, learner):
    version = Question.objects.get(slug="one").current
    version.prompt = "edited while nobody had met it"
    version.save()
    start_attempt(learner=learner, quiz=quiz)
    version.prompt = "edited too late"
    with pytest.raises(FrozenVersionError, match="create a new version"):
        version.save()
    with pytest.raises(FrozenVersionError):
        version.options.first().save()
    version.refresh_from_db()
    assert version.prompt == "edited while nobody had met it"


def test_the_database_refuses_an_option_without_a_reason(quiz):
    version = Question.objects.get(slug="one").current
    with pytest.raises(IntegrityError), transaction.atomic():
        Option.objects.create(version=version, order=9, text="four", reason="")


def test_an_option_that_somebody_was_shown_cannot_be_deleted(quiz, learner):
    version = Question.objects.get(slug="one").current
    start_attempt(learner=learner, quiz=quiz)
    for doomed in (version.options.last(), version.options.all()):
        with pytest.raises(FrozenVersionError), transaction.atomic():
            doomed.delete()
    with pytest.raises(FrozenVersionError):
        Option.objects.create(version=version, order=9, text="four", reason="too many")
    assert version.options.count() == 3
