"""Writing questions in the browser: who may, drafts, publishing, versions, two who edit at once."""

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.assessment.models import Question, QuestionDraft
from quizzes.assessment.services import start_attempt
from quizzes.learners.models import Learner
from quizzes.lessons.models import Course, Lesson, Step
from tests.assessment.conftest import load, quiz  # noqa: F401  (fixtures)
from tests.teaching.accounts import account

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def step(db):
    course = Course.objects.create(slug="sums", title="Sums")
    lesson = Lesson.objects.create(course=course, slug="sums", title="Sums", number=1)
    return Step.objects.create(
        lesson=lesson, slug="adding", title="Adding", number=1, text="", reading_seconds=60
    )


@pytest.fixture
def ada():
    return account("ada", teaches=True)


def address(slug="one", name="question"):
    return reverse(f"teaching:{name}", args=[slug])


def form(**changes):
    """Return the fields of a complete question, changed."""
    return {
        "revision": "0",
        "do": "publish",
        "prompt": "What is $2 + 2$?",
        "step": "sums/adding",
        "tags": "sums, easy",
        "key": "2",
        "text-1": "five",
        "reason-1": "One too many.",
        "text-2": "four",
        "reason-2": "Count on your fingers.",
        **changes,
    }


PAGES = [
    ("get", "/teach/questions/"),
    ("post", "/teach/questions/"),
    ("get", "/teach/questions/one/"),
    ("post", "/teach/questions/one/"),
    ("post", "/teach/questions/one/preview/"),
    ("post", "/teach/questions/one/duplicate/"),
    ("get", "/teach/questions/one/versions/1/"),
]


@pytest.mark.parametrize(("method", "path"), PAGES)
def test_only_instructors_come_in(quiz, method, path):  # noqa: F811
    data = form() | {"slug": "new"}
    visitor = getattr(Client(), method)(path, data)
    assert visitor.status_code == 302
    assert visitor.url.startswith(reverse("account_login"))
    assert getattr(account("bob", teaches=False), method)(path, data).status_code == 403
    assert not QuestionDraft.objects.exists()
    assert Question.objects.count() == 3
    assert getattr(account("eve", teaches=True), method)(path, data).status_code in {200, 302}


def test_a_question_from_nothing_to_published(ada, client):
    made = ada.post("/teach/questions/", {"slug": "two-and-two"})
    assert made.url == address("two-and-two")
    empty = ada.get(made.url).content.decode()
    assert "To mend before it can be published" in empty
    ada.post(made.url, form(revision="1"), follow=True)
    question = Question.objects.get(slug="two-and-two")
    assert question.current.number == 1
    assert [(one.text, one.is_key) for one in question.current.options.all()] == [
        ("five", False),
        ("four", True),
    ]
    assert question.current.tags == ["sums", "easy"]
    assert not QuestionDraft.objects.exists()
    assert question.loaded_hash == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"prompt": " "}, "Question</a>: must not be empty"),
        ({"key": ""}, "Options</a>: mark the right one"),
        ({"key": "7"}, "Options</a>: mark the right one"),
        ({"reason-1": ""}, "Option 1, reason</a>: must not be empty"),
        ({"text-2": ""}, "Option 2, answer</a>: must not be empty"),
        ({"text-1": "Four"}, "stands here twice"),
        ({"text-1": "", "reason-1": "", "key": "2"}, "must be between 2 and 8"),
        ({"step": ""}, "Step</a>: must not be empty"),
        ({"step": "sums/gone"}, "Step</a>: there is no step sums/gone"),
        ({"prompt": r"$\frac{1$"}, "frac"),
        ({"text-1": "x" * 401}, "401 characters"),
        ({"prompt": "x" * 4001}, "4001 characters"),
    ],
)
def test_what_is_missing_is_named_and_the_draft_is_kept(ada, quiz, change, words):  # noqa: F811
    before = Question.objects.get(slug="one").current
    page = ada.post(address(), form(**change), follow=True).content.decode()
    assert "Saved, not published" in page
    assert words in page
    assert Question.objects.get(slug="one").current == before
    assert QuestionDraft.objects.get().question.slug == "one"


def test_a_question_that_was_answered_gets_a_new_version(ada, quiz):  # noqa: F811
    question = Question.objects.get(slug="one")
    attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
    old = question.current
    ada.post(address(), form())
    question.refresh_from_db()
    assert (question.current.number, question.versions.count()) == (2, 2)
    assert attempt.responses.get(version__question=question).version == old
    page = ada.get(address()).content.decode()
    assert "Version 1" in page
    assert "1 time" in page
    assert "Count on your fingers." in ada.get(f"{address()}versions/1/").content.decode()


def test_publishing_the_old_text_again_brings_its_version_back(ada, quiz):  # noqa: F811
    ada.post(address(), form())
    ada.post(address(), form(prompt="Other"))
    ada.post(address(), form())
    question = Question.objects.get(slug="one")
    assert (question.current.number, question.versions.count()) == (2, 3)


def test_learners_are_asked_the_published_version_until_then(ada, quiz):  # noqa: F811
    before = Question.objects.get(slug="one").current
    page = ada.post(address(), form(do="save"), follow=True).content.decode()
    assert "Saved as a draft" in page
    assert Question.objects.get(slug="one").current == before
    ada.post(address(), {"do": "discard", "revision": "1"})
    assert not QuestionDraft.objects.exists()


def test_of_two_who_edit_at_once_the_second_overwrites_nothing(ada, quiz):  # noqa: F811
    bob = account("bob", teaches=True)
    ada.post(address(), form(do="save", prompt="Ada's"))
    late = bob.post(address(), form(do="publish", prompt="Bob's <b>"))
    page = late.content.decode()
    assert late.status_code == 409
    assert "ada saved this draft" in page
    assert "Bob&#x27;s &lt;b&gt;" in page  # his text is still in the form
    assert QuestionDraft.objects.get().content["prompt"] == "Ada's"
    again = bob.post(address(), form(do="save", revision="1", prompt="Bob's"))
    assert again.status_code == 302
    assert QuestionDraft.objects.get().content["prompt"] == "Bob's"
    gone = ada.post(address(), {"do": "discard", "revision": "1"}, follow=True)
    assert gone.status_code == 200
    assert QuestionDraft.objects.exists()


@pytest.mark.parametrize("revision", ["", "x", "-1", "9" * 30, "٣"])
def test_a_nonsensical_revision_changes_nothing(ada, quiz, revision):  # noqa: F811
    assert ada.post(address(), form(revision=revision)).status_code == 409
    assert not QuestionDraft.objects.exists()


def test_the_preview_saves_nothing_and_shows_nothing_hostile(ada, quiz):  # noqa: F811
    data = form(prompt="<script>alert(1)</script>", **{"text-1": "<img src=x onerror=alert(1)>"})
    page = ada.post(address(name="preview"), data).content.decode()
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "Count on your fingers." in page
    assert not QuestionDraft.objects.exists()


def test_a_duplicate_is_a_draft_of_its_own(ada, quiz):  # noqa: F811
    assert ada.post(address(name="duplicate"), {"slug": "copy"}).url == address("copy")
    assert QuestionDraft.objects.get().content["prompt"] == "What is $1 + 1$?"
    taken = ada.post(address(name="duplicate"), {"slug": "two"})
    assert taken.status_code == 400
    assert "there is a question two already" in taken.content.decode()
    assert ada.post(address(name="duplicate"), {"slug": "No!"}).status_code == 400


@pytest.mark.parametrize(
    ("words", "found"), [("one", 1), ("fingers", 0), ("SUMS", 3), ("$1 one", 1)]
)
def test_the_search_looks_into_names_texts_and_steps(ada, quiz, words, found):  # noqa: F811
    page = ada.get("/teach/questions/", {"q": words})
    assert len(page.context["questions"]) == found


def test_no_null_reaches_the_database(ada, quiz):  # noqa: F811
    ada.post(address(), form(prompt="What\0?", tags="a\0b"))
    assert Question.objects.get(slug="one").current.prompt == "What?"


def test_queries_do_not_grow(ada, quiz, django_assert_max_num_queries):  # noqa: F811
    for number in range(12):
        ada.post("/teach/questions/", {"slug": f"more-{number}"})
    with django_assert_max_num_queries(7):
        ada.get("/teach/questions/")
