"""/me/data/: all that is kept can be taken away, and is gone when its owner wants it gone."""

import json

import pytest
from django.db.models import ForeignKey, ManyToOneRel
from django.utils import timezone

from quizzes.assessment.models import Attempt, Regrade, RegradedResponse, Response
from quizzes.classes.models import AssignmentException, Membership
from quizzes.exercises.models import Draft, Exercise, PreviousVerdict, Submission, TrialVerdict
from quizzes.learners.account_merge import columns_naming_learners
from quizzes.learners.hidden_answers import Hidden
from quizzes.learners.models import Learner, Progress, ReviewCard, User
from quizzes.learners.services import note_missed, record_progress
from quizzes.regrades.answers import Wish, plan_answers
from quizzes.regrades.apply import apply_answers
from quizzes.study.data_erasure import ERASED_CODE, erase
from quizzes.study.my_data import (
    LEFT_OUT,
    _row,
    _told,
    columns_naming_accounts,
    counts_of,
    export_of,
    table_name,
)
from tests.courses import at, some_course
from tests.factories import create_question
from tests.learners.accounts import sign_in
from tests.study.questions import submission_with_mistake

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

PASSWORD = "correct horse battery"
NAME = "ada-lovelace"  # no row's uuid, hash or token can hold it by chance, as some hold "ada"


@pytest.fixture
def ada():
    return User.objects.create_user(NAME, "ada@example.org", PASSWORD)


@pytest.fixture
def learner(ada):
    """A learner who did one of everything."""
    made = Learner.objects.create(user=ada)
    question = create_question()
    option = question.current.options.get(is_key=False)
    common = {"version": question.current, "option_order": [option.pk]}
    Response.objects.create(learner=made, step="a/b", **common)
    attempt = Attempt.objects.create(learner=made, quiz=quiz_of(question))
    Response.objects.create(attempt=attempt, order=1, text="my secret, no number", **common)
    handed_in = {"submitted_at": made.created_at, "earned": 0, "possible": 1}
    Attempt.objects.filter(pk=attempt.pk).update(**handed_in)
    record_progress(some_course().pk, learner=made, kind="step", slug="a/b", state="done")
    note_missed(some_course().pk, learner=made, kind="question", slug=question.slug)
    submission_with_mistake(made)
    Draft.objects.create(learner=made, exercise=Exercise.objects.get(), code="# my secret draft")
    return made


def quiz_of(question):
    quiz = question.quizzes.model.objects.create(course=some_course(), slug="sums", title="Sums")
    quiz.places.create(question=question, order=1)
    return quiz


def test_a_visitor_is_told_that_nothing_is_kept(client):
    page = client.get("/me/data/").content.decode()
    assert "Nothing is stored about you yet" in page
    assert not Learner.objects.exists()


def test_the_export_holds_every_row_that_names_the_learner(ada, learner):
    answer = sign_in(NAME).get("/me/data/export/")
    assert "attachment" in answer["Content-Disposition"]
    told = json.loads(answer.content)
    for model, field in columns_naming_learners():
        rows = model._base_manager.filter(**{field: learner}).count()
        assert len(told[str(model._meta.verbose_name_plural)]) >= rows
    text = answer.content.decode()
    for word in ("my secret draft", "print('my secret')", "ada@example.org", "What of row-zero?"):
        assert word in text
    assert "argon2" not in text


def test_every_table_with_a_key_to_an_account_is_in_the_export(ada):
    told = export_of(learner=None, user=ada)
    named = {table_name(model) for model, _ in columns_naming_accounts()}
    of_learners = {"earlier verdicts"}  # an account only asked for them
    assert named - of_learners <= set(told)


def test_every_table_behind_the_work_of_a_learner_is_in_the_export_or_left_out_with_a_reason(ada):
    """Whatever names an attempt, an answer, a submission, a card or a place in a class."""
    of_learners = {model for model, _ in columns_naming_learners()} | {Membership}
    behind = {
        relation.related_model
        for model in of_learners
        for relation in model._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel)
    }
    assert behind > set(LEFT_OUT)
    exported = behind - of_learners - set(LEFT_OUT)
    told = export_of(learner=Learner.objects.create(user=ada), user=ada)
    assert {str(model._meta.verbose_name_plural) for model in exported} <= set(told)


@pytest.mark.both_databases
def test_what_was_marked_anew_is_in_the_export_and_not_while_it_is_hidden(learner, ada):
    answer = Response.objects.get(attempt__isnull=False)
    wrong = answer.version.options.get(is_key=False)
    answered = {"choice": wrong, "text": "", "is_right": False, "score": 0}
    Response.objects.filter(pk=answer.pk).update(**answered, answered_at=learner.created_at)
    question = answer.version.question
    wish = Wish(question, answer.version, None, Regrade.Rule.ALL_RIGHT, as_of=timezone.now())
    apply_answers(wish, digest=plan_answers(wish).digest, note="The key was wrong.", by=ada)
    made = export_of(learner=learner, user=ada)["regraded responses"]
    told = [(one["was_right"], one["now_right"], one["note"]) for one in made]
    assert (False, True, "The key was wrong.") in told
    assert not export_of(learner=Learner.objects.create(), user=None)["regraded responses"]
    (first, *_), hidden = (
        RegradedResponse.objects.all(),
        Hidden(question.course_id, "question", "row-zero"),
    )
    (told, *_) = _told(RegradedResponse.objects.filter(pk=first.pk), {hidden})
    assert (told["now_right"], told["now_score"], told["note"]) == (None, None, None)


def test_what_staff_write_to_each_other_is_not_in_the_export(ada, learner):
    member = Membership(user=ada)
    exception = AssignmentException(membership=member, note="The dean knows.", made_by=ada)
    graded = TrialVerdict(before={"our_failure": "the disk was full", "verdict": "correct"})
    told = [_row(exception), _row(graded)]
    assert "The dean knows." not in json.dumps(told, default=str)
    assert "made_by" not in told[0]
    assert told[1]["before"] == {"verdict": "correct"}


def test_nobody_else_s_rows_are_in_the_export(ada, learner):
    other = Learner.objects.create()
    record_progress(some_course().pk, learner=other, kind="step", slug="their/step", state="done")
    text = sign_in(NAME).get("/me/data/export/").content.decode()
    assert "a/b" in text
    assert "their/step" not in text


@pytest.mark.both_databases
def test_an_open_attempt_does_not_tell_right_from_wrong(learner):
    attempt = Attempt.objects.get()
    wrong = attempt.responses.get().version.options.get(is_key=False)
    answered = {"answered_at": attempt.started_at, "is_right": False, "score": 0}
    Response.objects.update(**answered, choice=wrong, text="")
    told = export_of(learner=learner, user=None)
    assert told["attempts"][0]["responses"][0]["right"] is False
    assert told["attempts"][0]["earned"] == 0
    Attempt.objects.update(submitted_at=None, earned=None, possible=None)
    told = export_of(learner=learner, user=None)
    assert told["attempts"][0]["responses"][0]["right"] is None
    assert [one["right"] for one in told["responses"]] == [False]  # alone, with its reasons at once


@pytest.mark.both_databases
def test_previous_verdicts_are_in_the_export_and_what_failed_on_our_side_is_not(ada, learner):
    submission = Submission.objects.get()
    Submission.objects.update(our_failure="words for the staff")
    for asked_by in (ada, None):
        PreviousVerdict.objects.create(
            submission=submission,
            exercise_version=submission.exercise_version,
            verdict="correct",
            report={},
            our_failure="words for the staff",
            graded_at=submission.graded_at,
            asked_by=asked_by,
        )
    told = export_of(learner=learner, user=ada)
    assert len(told["earlier verdicts"]) == 2
    assert "words for the staff" not in json.dumps(told, default=str)
    Submission.objects.update(learner=Learner.objects.create())
    assert not export_of(learner=learner, user=ada)["earlier verdicts"]  # somebody else's now


def test_ten_more_attempts_cost_no_more_queries(learner, ada, django_assert_max_num_queries):
    with django_assert_max_num_queries(100) as before:
        export_of(learner=learner, user=ada)
    quiz = Attempt.objects.get().quiz
    question = quiz.places.get().question
    option = question.current.options.get(is_key=False)
    common = {"version": question.current, "option_order": [option.pk]}
    for _ in range(10):
        attempt = Attempt.objects.create(
            learner=learner, quiz=quiz, submitted_at=learner.created_at, earned=0, possible=1
        )
        Response.objects.create(attempt=attempt, order=1, **common)
    with django_assert_max_num_queries(len(before)):
        told = export_of(learner=learner, user=ada)
    assert len(told["attempts"]) == 11
    counts = counts_of(learner=learner, user=ada)
    assert counts == {name: len(rows) for name, rows in told.items() if isinstance(rows, list)}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"word": "delete", "password": "wrong"}, "not the password of this account"),
        ({"word": "delete"}, "required"),
        ({"word": "yes", "password": PASSWORD}, "Type the word delete"),
        ({}, "required"),
    ],
)
def test_without_the_word_and_the_password_nothing_is_deleted(client, ada, learner, data, words):
    client.force_login(ada)
    page = client.post("/me/data/", data)
    assert page.status_code == 400
    assert words in page.content.decode()
    assert User.objects.filter(pk=ada.pk).exists()
    assert learner.progress.exists()


def test_deleting_leaves_numbers_without_a_name(client, ada, learner):
    client.force_login(ada)
    page = client.post("/me/data/", {"word": "\u200bDelete ", "password": PASSWORD}, follow=True)
    assert "has been deleted" in page.content.decode()
    assert not User.objects.exists()
    assert not Progress.objects.exists()
    assert not ReviewCard.objects.exists()
    assert not Draft.objects.exists()
    left = Learner.objects.get()
    assert (left.user, left.uuid == learner.uuid) == (None, False)
    assert Attempt.objects.get().learner == left
    assert not Response.objects.exclude(text="").exists()
    submission = Submission.objects.get()
    assert submission.code == ERASED_CODE
    assert submission.verdict == "known_mistake"
    assert "my secret" not in json.dumps(submission.report)
    assert "Here you will see" in client.get(at("/progress/")).content.decode()


def test_nothing_in_the_database_holds_the_secret_any_more(ada, learner):
    erase(learner=learner, user=ada)
    for model in {one for one, _ in columns_naming_learners()} | {Response, User, Learner}:
        for row in model._base_manager.all():
            for field in model._meta.fields:
                if not isinstance(field, ForeignKey):
                    value = str(field.value_from_object(row))
                    assert "my secret" not in value
                    assert NAME not in value
                    assert "ada@" not in value


@pytest.mark.both_databases
def test_a_visitor_without_account_deletes_what_the_browser_did(client):
    question = create_question()
    wrong = question.current.options.get(is_key=False)
    client.post(at("/questions/row-zero/answer/"), {"option": wrong.pk, "step": "a/b"})
    assert "for this browser" in client.get("/me/data/").content.decode()
    assert client.post("/me/data/", {"word": "delete"})["Clear-Site-Data"] == '"storage"'
    assert not ReviewCard.objects.exists()
    assert "Nothing is stored about you yet" in client.get("/me/data/").content.decode()


def test_an_administrator_is_not_deleted_here(client):
    User.objects.create_superuser("root", "root@example.org", PASSWORD)
    client.force_login(User.objects.get())
    page = client.post("/me/data/", {"word": "delete", "password": PASSWORD})
    assert page.status_code == 400
    assert "in the site administration" in page.content.decode()
    assert User.objects.exists()


def test_deleting_twice_is_harmless(ada, learner):
    erase(learner=learner, user=ada)
    erase(learner=Learner.objects.get(), user=None)
    assert Submission.objects.get().code == ERASED_CODE
