"""Putting quizzes together in the browser: who may, order, search, publishing, two at once."""

import pytest
from django.test import Client

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.services import start_attempt, submit_attempt
from quizzes.learners.models import Learner
from quizzes.teaching import quiz_page
from tests.assessment.content import write_quiz
from tests.courses import at
from tests.drafts import content_of_draft, quiz_drafts
from tests.teaching.forms import address, form, quiz_form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
QUIZ = teach("quizzes/sums/")


def order_of(quiz):
    return [place.question.slug for place in quiz.places.select_related("question")]


def test_a_quiz_from_nothing_to_a_learner_who_takes_it(ada, quiz, client):
    made = ada.post(teach("quizzes/"), {"slug": "new-one"})
    assert made.url == teach("quizzes/new-one/")
    page = ada.get(made.url).content.decode()
    assert "Questions</a>: add at least one" in page
    assert "Title</a>: must not be empty" in page
    learners_page = at("/quiz/new-one/")
    assert client.get(learners_page).status_code == 404
    assert client.post(learners_page).status_code == 404
    assert "new-one" not in client.get(at("/quiz/")).content.decode()
    ada.post(made.url, quiz_form("new-one"), follow=True)
    assert order_of(Quiz.objects.get(slug="new-one")) == ["three", "one"]
    assert "Sums, again" in client.get(at("/quiz/")).content.decode()
    begun = client.post(learners_page, follow=True)
    assert begun.status_code == 200
    asked = Attempt.objects.get(quiz__slug="new-one").responses.all()
    assert [one.version.question.slug for one in asked] == ["three", "one"]


@pytest.mark.covering(most=4)
@pytest.mark.parametrize(
    ("button", "order"),
    [
        ("up:one", ["one", "two", "three"]),
        ("up:two", ["two", "one", "three"]),
        ("down:three", ["two", "one", "three"]),
        ("down:two", ["one", "two", "three"]),
        ("remove:two", ["one", "three"]),
        ("add:four", ["two", "one", "three", "four"]),
        ("add:one", ["two", "one", "three"]),
        ("up:gone", ["two", "one", "three"]),
        ("add:../x", ["two", "one", "three"]),
        ("remove:", ["two", "one", "three"]),
    ],
)
def test_every_button_works_without_a_script_and_keeps_what_was_typed(ada, quiz, button, order):
    opened = quiz_form(do=button, title="Typed", questions=["two", "one", "three"], q="a b", tag="")
    answered = ada.post(QUIZ, opened)
    assert answered.status_code == 302
    assert "?q=a+b" in answered.url
    draft = content_of_draft()
    assert (draft["title"], draft["questions"]) == ("Typed", order)
    assert order_of(quiz) == ["two", "one", "three"]  # learners: nothing changed


@pytest.mark.both_databases
def test_the_search_offers_published_questions_that_are_not_chosen(ada, quiz):
    ada.post(teach("questions/"), {"slug": "four"})
    ada.post(address("one"), form("one", tags="easy"))

    def found(**query):
        page = ada.get(f"{QUIZ}find/", query)
        return [one.slug for one in page.context["found"]]

    assert found() == ["one", "three", "two"]  # four was never published
    assert found(questions=["one", "two"]) == ["three"]
    assert found(q="FIVE") == ["one"]
    assert found(tag="easy") == ["one"]
    assert found(q="\0nothing") == []


@pytest.mark.both_databases
def test_what_cannot_be_published_is_named_and_kept(ada, quiz):
    ada.post(teach("questions/"), {"slug": "four"})
    page = ada.post(QUIZ, quiz_form(questions=["one", "four", "gone"]), follow=True)
    words = page.content.decode()
    assert "Saved, not published: 2 problems to fix first." in words
    assert "&#x27;four&#x27; is not published yet" in words
    assert "There is no such question." in words
    assert content_of_draft(quiz)["questions"] == ["one", "four", "gone"]
    many = [f"q-{number}" for number in range(51)]
    assert "at most 50" in ada.post(QUIZ, quiz_form(questions=many), follow=True).content.decode()


@pytest.mark.parametrize(("longest", "said"), [(4, False), (5, True)])
def test_a_quiz_whose_longest_options_are_its_keys_is_remarked_on(ada, quiz, longest, said):
    slugs = [f"q-{number}" for number in range(8)]
    for number, slug in enumerate(slugs):
        ada.post(teach("questions/"), {"slug": slug})
        key = "four, and nothing else" if number < longest else "four"
        ada.post(address(slug), form(slug, **{"text-2": key, "prompt": f"{slug}: $2 + 2$?"}))
    page = ada.post(QUIZ, quiz_form(questions=slugs, do="save"), follow=True).content.decode()
    assert (
        f"In {longest} of 8 questions with fixed options, the key is the longest" in page
    ) == said
    ada.post(QUIZ, quiz_form(questions=slugs), follow=True)
    assert order_of(quiz) == slugs  # published all the same


def test_an_open_attempt_keeps_its_questions_and_the_page_says_so(ada, quiz):
    attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
    ada.post(QUIZ, quiz_form())
    assert [one.version.question.slug for one in attempt.responses.all()] == ["two", "one", "three"]
    page = " ".join(ada.get(QUIZ).content.decode().split())
    assert "1 attempt is open and keeps the questions it started with" in page
    assert submit_attempt(attempt=attempt)
    after = start_attempt(learner=attempt.learner, quiz=quiz)
    assert [one.version.question.slug for one in after.responses.all()] == ["three", "one"]


def test_of_two_who_edit_at_once_the_second_overwrites_nothing(ada, bob, quiz):
    opened = quiz_form(title="Bob's", questions=["three"])
    ada.post(QUIZ, quiz_form(do="save", title="Ada's"))
    late = bob.post(QUIZ, opened)
    page = late.content.decode()
    assert late.status_code == 409
    assert "<bdi>ada</bdi> saved this draft" in page
    assert "Bob&#x27;s" in page
    assert content_of_draft()["title"] == "Ada's"
    for button in ("discard", "withdraw", "up:one", "find"):
        assert bob.post(QUIZ, opened | {"do": button}).status_code == 409
    assert bob.post(QUIZ, opened | {"revision": late.context["revision"]}).status_code == 302
    assert Quiz.objects.get().title == "Bob's"


def test_a_withdrawn_quiz_is_finished_by_who_began_it_and_begun_by_nobody(ada, quiz, client):
    learners_page = at("/quiz/sums/")
    attempt_page = client.post(learners_page).url
    ada.post(QUIZ, quiz_form(do="withdraw"))
    assert "Sums" not in Client().get(at("/quiz/")).content.decode()
    assert Client().get(learners_page).status_code == 404
    assert client.get(attempt_page).status_code == 200
    assert client.get(learners_page).status_code == 200
    assert client.post(attempt_page, {"do": "submit-blank"}, follow=True).status_code == 200
    assert client.post(learners_page).status_code == 404
    assert "Withdrawn" in ada.get(QUIZ).content.decode()
    ada.post(QUIZ, quiz_form())
    assert Client().get(learners_page).status_code == 200


def test_a_discarded_new_quiz_is_gone_and_a_published_one_stays(ada, quiz):
    ada.post(teach("quizzes/"), {"slug": "new-one"})
    ada.post(teach("quizzes/new-one/"), quiz_form("new-one", do="discard"))
    ada.post(QUIZ, quiz_form(do="save"))
    ada.post(QUIZ, quiz_form(do="discard"))
    assert [one.slug for one in Quiz.objects.all()] == ["sums"]
    assert not quiz_drafts().exists()


@pytest.mark.both_databases
def test_a_name_is_taken_once(ada, quiz):
    for slug in ("sums", "No!", ""):
        assert ada.post(teach("quizzes/"), {"slug": slug}).status_code == 400
    assert Quiz.objects.count() == 1


def test_a_file_changed_meanwhile_is_a_conflict_for_the_form(ada, quiz, tmp_path, load):
    opened = quiz_form()
    write_quiz(tmp_path, "sums", "one")
    assert "updated" in load()
    assert ada.post(QUIZ, opened).status_code == 409
    assert order_of(quiz) == ["one"]


@pytest.mark.parametrize(
    ("method", "path", "button"),
    [
        ("get", QUIZ, ""),
        ("get", f"{QUIZ}preview/", ""),
        ("post", QUIZ, "save"),
        ("post", QUIZ, "discard"),
        ("post", QUIZ, "withdraw"),
    ],
)
def test_a_quiz_discarded_in_the_middle_of_a_request_is_not_found(
    ada, quiz, monkeypatch, method, path, button
):
    data = quiz_form(do=button)

    def found_and_gone(model, **which):
        found = model.objects.get(**which)
        model.objects.filter(pk=found.pk).delete()
        return found

    monkeypatch.setattr(quiz_page, "get_object_or_404", found_and_gone)
    answer = getattr(ada, method)(path, data)
    assert answer.status_code == 404
    assert ("Sums, again" in answer.content.decode()) == (method == "post")
    assert not quiz_drafts().exists()


def test_discarded_quiz_gives_typed_text_back(ada, quiz):
    data = quiz_form(summary="Typed for long.")
    quiz.delete()
    answer = ada.post(QUIZ, data)
    assert answer.status_code == 404
    assert "Typed for long." in answer.content.decode()
