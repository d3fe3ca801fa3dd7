"""Versions of questions, and two instructors who edit at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from quizzes.assessment.models import Question, QuestionVersion
from quizzes.assessment.services import start_attempt
from quizzes.courses.drafts import StaleRevisionError, current_text, publish, save_draft
from quizzes.learners.models import Learner, User
from quizzes.worker.question_pool import store_instance
from tests.assessment.content import QUESTION, write_question
from tests.assessment.drawn import made
from tests.drafts import content_of_draft, editable, question_drafts, revision_of
from tests.teaching.forms import address, form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def test_a_question_that_was_answered_gets_a_new_version(ada, quiz):
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
    assert "from the course files" in page
    assert "Count on your fingers." in ada.get(f"{address()}versions/1/").content.decode()


def test_the_history_says_what_changed_and_who_wrote_it(ada, quiz):
    ada.post(address(), form())
    ada.post(address(), form(**{"text-1": "six"}))
    page = ada.get(f"{address()}versions/3/")
    (change,) = page.context["changes"]
    assert change.label == "Option 1"
    assert [(one.kind, one.text) for one in change.pieces] == [
        ("removed", "five"),
        ("added", "six"),
    ]
    assert page.context["versions"][0].changed == ["Option 1"]
    assert ", <bdi>ada</bdi></td>" in page.content.decode()


def test_publishing_the_old_text_again_brings_its_version_back(ada, quiz):
    ada.post(address(), form())
    ada.post(address(), form(prompt="Other"))
    ada.post(address(), form())
    question = Question.objects.get(slug="one")
    assert (question.current.number, question.versions.count()) == (2, 3)


def test_an_earlier_version_becomes_the_draft(ada, quiz):
    opened = revision_of(Question.objects.get(slug="one"))
    ada.post(address(), form())
    back = f"{address()}versions/1/bring-back/"
    assert ada.post(back, {"revision": opened}, follow=True).status_code == 200
    assert not question_drafts().exists()  # opened before the publishing
    ada.post(back, {"revision": revision_of(Question.objects.get(slug="one"))})
    assert content_of_draft()["prompt"] == "What is $1 + 1$?"


def test_of_two_who_edit_at_once_the_second_overwrites_nothing(ada, bob, quiz):
    opened = form(do="publish", prompt="Bob's a < b")
    ada.post(address(), form(do="save", prompt="Ada's"))
    late = bob.post(address(), opened)
    page = late.content.decode()
    assert late.status_code == 409
    assert "<bdi>ada</bdi> saved this draft" in page
    assert "Bob&#x27;s a &lt; b" in page  # his text is still in the form
    assert content_of_draft()["prompt"] == "Ada's"
    again = bob.post(address(), opened | {"revision": late.context["revision"]})
    assert again.status_code == 302
    assert Question.objects.get(slug="one").current.prompt == "Bob's a < b"


def test_a_draft_saved_over_a_publishing_is_a_conflict_too(ada, bob, quiz):
    """Opened before, when there was no draft; saved after, when there is none again."""
    opened = form(do="publish", prompt="Bob's")
    ada.post(address(), form(prompt="Ada's"))
    assert bob.post(address(), opened).status_code == 409
    assert Question.objects.get(slug="one").current.prompt == "Ada's"
    assert not question_drafts().exists()


def test_a_discarded_draft_that_was_saved_anew_is_not_discarded(ada, bob, quiz):
    ada.post(address(), form(do="save"))
    opened = form(do="discard")
    bob.post(address(), form(do="discard"))
    bob.post(address(), form(do="save", prompt="Bob's"))
    assert ada.post(address(), opened).status_code == 409
    assert content_of_draft()["prompt"] == "Bob's"


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("revision", ["", "x", "-1", "9" * 30, "٣"])
def test_a_nonsensical_revision_changes_nothing(ada, quiz, revision):
    assert ada.post(address(), form(revision=revision)).status_code == 409
    assert not question_drafts().exists()


def test_a_file_loaded_meanwhile_is_a_conflict_and_said_of_the_draft(ada, quiz, tmp_path, load):
    ada.post(address(), form(do="save"))
    opened = form()
    write_question(tmp_path, "one", QUESTION.replace("fingers", "toes"))
    assert "updated" in load()
    assert ada.post(address(), opened).status_code == 409
    page = ada.get(address())
    assert page.context["behind"]
    assert "changed after this draft was started" in page.content.decode()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("slug", "field"), [("one", "prompt"), ("sums", "summary")])
def test_one_of_twenty_writers_wins(quiz, slug, field):
    """Ten save a text of their own, ten publish the draft that all of them have seen."""
    if connection.vendor == "sqlite":
        pytest.skip("an in-memory database has one connection: the journey races on SQLite")
    row = quiz if slug == quiz.slug else Question.objects.get(slug=slug)
    editor, text = User.objects.create_user("ada"), current_text(editable(row))
    seen = {**text.content, field: "Seen"}
    first = save_draft(editable(row), content=seen, revision=text.revision, editor=editor)

    def write(number):
        thing = editable(row)
        thing.steps = {"sums/adding": "Adding"}
        try:
            if number % 2:
                publish(thing, revision=first, editor=editor)
            else:
                own = {**text.content, field: f"{number}"}
                save_draft(thing, content=own, revision=first, editor=editor)
        except StaleRevisionError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(20) as pool:
        (winner,) = [number for number, won in enumerate(pool.map(write, range(20))) if won]
    now = current_text(editable(row))
    assert now.content[field] == ("Seen" if winner % 2 else f"{winner}")
    assert (now.draft is None) == bool(winner % 2)


def test_publishing_needs_the_draft_it_was_asked_for(quiz):
    question, editor = Question.objects.get(slug="one"), User.objects.create_user("ada")
    with pytest.raises(StaleRevisionError):
        publish(editable(question), revision=revision_of(question), editor=editor)
    question.refresh_from_db()
    assert question.current.number == 1


def generated(slug="one", **which):
    """Let versions of a question be drawn by a program, with numbers prepared for two learners."""
    versions = QuestionVersion.objects.filter(question__slug=slug, **which)
    versions.update(generator={"generate.py": "x = 1"})
    for version in versions:
        for seed in range(2):
            store_instance(version, made(seed))


def test_what_is_drawn_for_learners_is_not_loaded_for_the_pages_of_instructors(
    ada, quiz, django_assert_max_num_queries
):
    generated()
    page = ada.get(f"{address()}versions/1/").content.decode()
    assert "swapped" not in page
    for path in (f"{address()}versions/1/", address(), teach("quizzes/sums/preview/")):
        with django_assert_max_num_queries(40) as looked:
            assert ada.get(path).status_code == 200
        options = [
            one["sql"] for one in looked.captured_queries if "assessment_option" in one["sql"]
        ]
        assert options
        assert all("instance_id" in sql.partition("WHERE")[2] for sql in options)


def test_a_draft_begun_before_the_file_brought_a_program_can_be_discarded(ada, quiz):
    ada.post(address(), form(do="save"))
    generated()
    assert "Discard the draft" in ada.get(address()).content.decode()
    late = ada.post(address(), {"do": "discard", "revision": "99"})
    assert late.status_code == 409
    assert question_drafts().exists()
    ada.post(address(), {"do": "discard", "revision": late.context["revision"]})
    assert not question_drafts().exists()
    assert "Discard the draft" not in ada.get(address()).content.decode()
