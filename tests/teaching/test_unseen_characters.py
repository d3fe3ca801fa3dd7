"""Pasted text is held to the characters of files: a fault by its field, and nothing is lost."""

import re

import pytest

from quizzes.assessment.models import Question, QuestionDraft, Quiz, QuizDraft
from tests.teaching.forms import address, form, quiz_form

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

UNSEEN = ["\u202e", "\u2066", "\x1b[2J", "\x9b", "\ufeff", "\0"]
FIELDS = ["prompt", "text-1", "reason-2", "tags"]


def words_at(page, field):
    """Return what the list of what is to be mended says of a field."""
    return " ".join(re.findall(rf'<li><a href="#{field}">[^<]*</a>: ([^<]*)</li>', page))


@pytest.mark.covering
@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
@pytest.mark.parametrize("field", FIELDS)
def test_a_question_names_the_field_and_keeps_the_rest(ada, quiz, field, unseen):
    before = Question.objects.get(slug="one").current
    sent = form(prompt="Pasted words", **{"reason-1": "Kept words."})
    sent[field] = f"{sent[field]}{unseen}x"
    page = ada.post(address(), sent, follow=True).content.decode()
    what = "contains a NUL" if unseen == "\0" else f"U+{ord(unseen[0]):04X}"
    assert what in words_at(page, field)
    assert "Pasted words" in page
    assert "Kept words." in page
    assert Question.objects.get(slug="one").current == before
    assert QuestionDraft.objects.exists() == (unseen != "\0")


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
@pytest.mark.parametrize("field", ["title", "summary"])
def test_a_quiz_names_the_field_and_keeps_the_rest(ada, quiz, field, unseen):
    before = Quiz.objects.get(slug="sums").title
    sent = quiz_form(title="Pasted title", summary="Pasted summary")
    sent[field] = f"{sent[field]}{unseen}x"
    page = ada.post(address("sums", "quiz"), sent, follow=True).content.decode()
    kept = words_at(page, field)
    assert "contains a" in kept or "contains the" in kept
    assert "Pasted title" in page
    assert "Pasted summary" in page
    assert Quiz.objects.get(slug="sums").title == before
    assert QuizDraft.objects.exists() == (unseen != "\0")
