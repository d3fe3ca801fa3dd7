"""Markup that no page understands, in what instructors write in the browser."""

import pytest

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.question_files import read_questions, read_quizzes
from quizzes.assessment.store import save_question, save_quiz
from quizzes.classes.models import Announcement
from quizzes.content_files.files import DiskFiles
from quizzes.content_files.problems import refused
from quizzes.teaching.regrade.forms import DeedForm
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.classes.pages import teach_class
from tests.factories import browser_of, create_account, create_class
from tests.teaching.forms import address, form, quiz_form, teach

pytestmark = [pytest.mark.django_db]
OLD = "Count on[^1] your fingers."


@pytest.fixture
def old(course, tmp_path):
    """A question and a quiz that were published before the markup in them was refused."""
    write_question(tmp_path, "one", QUESTION.replace("Count on your fingers.", OLD))
    write_quiz(tmp_path, "sums", "one")
    file = tmp_path / "quizzes/sums.yaml"
    file.write_text(file.read_text().replace("Adding up.", "Adding ==up==."))
    (questions, problems), (quizzes, more) = (
        read_questions(DiskFiles(tmp_path)),
        read_quizzes(DiskFiles(tmp_path)),
    )
    assert len(problems) == len(more) == 1
    assert refused([*problems, *more], is_published=True) == ()
    save_question(course, questions[0])
    save_quiz(course, quizzes[0])
    Question.objects.update(loaded_hash="")
    Quiz.objects.update(loaded_hash="")


def of_old_question(**changes):
    """Return the form of that question as it is published, changed."""
    named = {"text-1": "two", "reason-1": OLD, "text-2": "three", "reason-2": "One too many."}
    named |= {"text-3": "none of these", "reason-3": "It is there.", "key": "1", "tags": ""}
    return form(**(named | {"prompt": "What is $1 + 1$?"} | changes))


def test_a_published_question_stands_until_it_is_changed(ada, old):
    before = Question.objects.get().current
    page = ada.post(address(), of_old_question(), follow=True).content.decode()
    assert "a footnote shows as typed" not in page
    assert Question.objects.get().current == before
    assert not hasattr(Question.objects.get(), "draft")
    page = ada.post(address(), of_old_question(prompt="How much?"), follow=True).content.decode()
    assert "Option 1, reason</a>: “[^1]”: a footnote shows as typed" in page
    assert Question.objects.get().current == before


def test_a_published_quiz_stands_until_it_is_changed(ada, old):
    whole = {"title": "Sums", "summary": "Adding ==up==.", "questions": ["one"]}
    page = ada.post(teach("quizzes/sums/"), quiz_form(**whole), follow=True).content.decode()
    assert "highlighting shows as typed" not in page
    assert not hasattr(Quiz.objects.get(), "draft")
    changed = quiz_form(**{**whole, "title": "More sums"})
    page = ada.post(teach("quizzes/sums/"), changed, follow=True).content.decode()
    assert "“==up==”: highlighting shows as typed; write **words**" in page
    assert Quiz.objects.get().title == "Sums"


@pytest.mark.parametrize("change", [{"title": "**Sums**"}, {"summary": "- [ ] one"}])
def test_title_and_summary_of_a_quiz_are_looked_at(ada, quiz, change):
    page = ada.post(teach("quizzes/sums/"), quiz_form(**change), follow=True).content.decode()
    assert "Saved, not published" in page
    assert "shows as typed" in page


@pytest.mark.parametrize("text", ["Read this:\n\n<b>now</b>", "![plan](https://example.org/a.png)"])
def test_an_announcement_is_refused_with_its_line(course, text):
    ida = create_account("ida", role="")
    create_class(course=course, by=ida)
    there = teach_class("announcements/")
    page = browser_of(ida).post(there, {"title": "Read", "text": text})
    assert page.status_code == 400
    assert "Line " in page.content.decode()
    assert "shows as typed" in page.content.decode()
    assert not Announcement.objects.exists()
    done = browser_of(ida).post(there, {"title": "Read", "text": r"It is \(x_1\), not `<b>`."})
    assert done.status_code == 302


def test_the_note_of_a_regrade_is_refused_with_its_line():
    form_of = DeedForm({"as_of": "2026-01-01T00:00:00Z", "digest": "0", "note": "So\n<br>"})
    assert form_of.errors == {
        "note": ["Line 2: “<br>”: HTML shows as typed; begin a new paragraph"]
    }
