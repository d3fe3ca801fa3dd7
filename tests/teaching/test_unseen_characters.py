"""Pasted text is held to the characters of files: a fault by its field, and nothing is lost."""

import re

import pytest

from quizzes.assessment.models import Question, Quiz
from tests.drafts import question_drafts, quiz_drafts
from tests.teaching.forms import address, form, quiz_form

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

UNSEEN = ["\u202e", "\u2066", "\x1b[2J", "\x9b", "\ufeff", "\0"]
FIELDS = ["prompt", "text-1", "reason-2", "tags", "title", "summary"]


def words_at(page, field):
    """Return what the list of what is to be mended says of a field."""
    return " ".join(re.findall(rf'<li><a href="#{field}">[^<]*</a>: ([^<]*)</li>', page))


@pytest.mark.covering
@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
@pytest.mark.parametrize("field", FIELDS)
def test_page_names_the_field_and_keeps_the_rest(ada, quiz, field, unseen):
    of_quiz = field in {"title", "summary"}
    page, typed = (address("sums", "quiz"), quiz_form) if of_quiz else (address(), form)
    rest = ["title", "summary"] if of_quiz else ["prompt", "reason-1"]
    sent = typed(**{name: f"Pasted {name}" for name in rest})
    sent[field] = f"{sent[field]}{unseen}x"
    before = Question.objects.get(slug="one").current, Quiz.objects.get().title
    shown = ada.post(page, sent, follow=True).content.decode()
    what = "contains a NUL" if unseen == "\0" else f"U+{ord(unseen[0]):04X}"
    assert what in words_at(shown, field)
    assert all(f"Pasted {name}" in shown for name in rest)
    assert (Question.objects.get(slug="one").current, Quiz.objects.get().title) == before
    drafts = quiz_drafts() if of_quiz else question_drafts()
    assert drafts.exists() == (unseen != "\0")
