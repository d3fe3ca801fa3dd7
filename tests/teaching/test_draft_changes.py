"""What a draft changes, as its page and a refused form name it."""

import pytest

from quizzes.assessment.models import Question
from quizzes.courses.models import ContentDraft
from tests.drafts import revision_of
from tests.teaching.forms import address, form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ANSWERS = {
    "numeric": {
        "answer-value": "12",
        "answer-size": "0.5",
        "answer-measure": "plus_minus",
        "answer-unit": "m",
        "answer-reason": "A dozen.",
        "near-value-1": "14",
        "near-reason-1": "Two too many.",
    },
    "text": {"accepts": "RoPE\nrotary*", "answer-reason": "It turns."},
}


@pytest.fixture
def saved_draft(ada, quiz):
    ada.post(address(), form(do="save", prompt="How many?"))


def test_form_of_older_release_names_upgrade(bob, saved_draft):
    refused = bob.post(address(), form(do="save", prompt="How many then?", revision="3"))
    assert refused.status_code == 409
    page = refused.content.decode()
    assert "The site was upgraded after you opened this page." in page
    assert "saved this draft at" not in page
    assert "How many then?" in page


def test_course_lists_only_drafts_with_row(ada, quiz, saved_draft):
    gone = {"kind": "quiz", "slug": "gone", "files": {"quiz.yaml": "title: x\n"}}
    ContentDraft.objects.create(course=quiz.course, **gone)
    page = ada.get(teach())
    assert [draft.slug for draft in page.context["drafts"]] == ["one"]
    assert "quizzes/gone/" not in page.content.decode()


def labels(changes):
    return [change.label for change in changes]


@pytest.mark.parametrize("kind", ANSWERS)
def test_changed_prompt_lists_only_question(ada, bob, quiz, kind):
    ada.post(teach("questions/"), {"slug": "new", "kind": kind})
    question = Question.objects.get(slug="new")

    def send(browser, prompt, do, revision=None):
        fields = {"prompt": prompt, "step": form()["step"], "kind": kind, "do": do}
        opened = revision_of(question) if revision is None else revision
        sent = {**fields, **ANSWERS[kind], "revision": opened}
        return browser.post(address("new"), sent, follow=True)

    send(ada, "How many?", "publish")
    question.refresh_from_db()
    assert question.current is not None
    opened = revision_of(question)
    assert labels(send(ada, "How many now?", "save").context["changes"]) == ["Question"]
    refused = send(bob, "How many then?", "save", opened)
    assert refused.status_code == 409
    assert labels(refused.context["stale_changes"]) == ["Question"]
