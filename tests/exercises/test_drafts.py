"""Drafts on the server: saved, found again, never over a text that was not seen."""

import re
from contextlib import nullcontext

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.exercises import views
from quizzes.exercises.models import Draft
from quizzes.learners.models import Learner, User
from quizzes.learners.services import adopt
from tests.courses import at
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

PAGE = at("/exercises/sinusoidal-table/")
ADDRESS = f"{PAGE}draft/"


@pytest.fixture(autouse=True)
def exercise():
    return making.ready_exercise()


def save(client, code, based_on="", **more):
    return client.post(ADDRESS, {"code": code, "based_on": based_on, **more})


def test_a_draft_is_found_again_on_the_page(client):
    answer = save(client, "mine = 1")
    assert answer.status_code == 200
    text = client.get(PAGE).content.decode()
    assert "\nmine = 1</textarea>" in text
    assert f'data-token="{answer.json()["token"]}"' in text
    assert Client().get(PAGE).content.decode().count("mine = 1") == 0


def test_the_text_that_everybody_begins_with_makes_no_newcomer(client, exercise):
    starter = exercise.current.definition.starter
    for text in (starter, starter.replace("\n", "\r\n")):
        assert save(client, text).json()["token"] == ""
    assert not Learner.objects.exists()
    assert not client.cookies
    token = save(client, f"{starter}# mine").json()["token"]
    assert save(client, starter, token).status_code == 200
    assert Draft.objects.get().code == starter, "a change back is kept"


def test_a_draft_that_cannot_be_kept_makes_no_newcomer(client):
    assert save(client, "\U0001f600" * 16_000).status_code == 400
    assert not Learner.objects.exists()
    assert not client.cookies


@pytest.mark.parametrize("based_on", ["", "6d3e231f-f6f5-4c90-8e9e-a4391831f5d4"])
def test_a_save_that_has_not_seen_the_draft_is_told_of_it_and_changes_nothing(client, based_on):
    token = save(client, "theirs").json()["token"]
    answer = save(client, "mine", based_on)
    assert answer.status_code == 409
    assert answer.json()["code"] == "theirs"
    assert answer.json()["token"] == token
    assert Draft.objects.get().code == "theirs"
    assert save(client, "mine", token).status_code == 200


def test_each_course_keeps_its_own_draft_of_an_exercise_of_one_name(client):
    there = making.ready_exercise(course="another-course")
    save(client, "here = 1")
    answer = client.post(there.draft_address, {"code": "there = 1", "based_on": ""})
    assert answer.status_code == 200
    assert "\nhere = 1</textarea>" in client.get(PAGE).content.decode()
    assert "\nthere = 1</textarea>" in client.get(there.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("first", "second", "is_newer"),
    [("one", "two", True), ("same\n", "same\r\n", False), ("x", "", True)],
)
def test_the_next_save_follows_the_last(client, first, second, is_newer):
    token = save(client, first).json()["token"]
    based_on = token if is_newer else ""
    answer = save(client, second, based_on)
    assert answer.status_code == 200
    assert (answer.json()["token"] != token) == is_newer
    assert Draft.objects.get().code == second.replace("\r\n", "\n")


@pytest.mark.parametrize("code", ["x" * 20_001, "a\0b", "\U0001f600" * 16_000])
def test_what_cannot_be_kept_is_a_400_with_a_reason(client, code):
    answer = save(client, code)
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert not Draft.objects.exists()


@pytest.mark.parametrize("fields", [{"based_on": "7"}, {"instead_of": "x"}])
def test_a_damaged_request_is_a_400(client, fields):
    assert client.post(ADDRESS, {"code": "x", **fields}).status_code == 400


def test_nobody_elses_draft_is_touched(client):
    token = save(client, "mine").json()["token"]
    other = Client()
    assert save(other, "other", token).status_code == 200
    assert save(other, "other 2", token, instead_of=token).status_code == 409
    assert Draft.objects.get(token=token).code == "mine"


def test_signing_in_keeps_both_drafts_until_one_is_chosen(client):
    user = User.objects.create_user("ada")
    account = Learner.objects.create(user=user)
    exercise = making.Exercise.objects.get()
    Draft.objects.create(learner=account, exercise=exercise, code="at home")
    save(client, "on the train")
    adopt(learner=Learner.objects.get(user=None), user=user)
    drafts = list(account.code_drafts.all())
    assert [draft.code for draft in drafts] == ["on the train", "at home"]
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(PAGE).content.decode().count("kept-draft") == 2
    kept, other = drafts
    assert save(client, "at home", kept.token, instead_of=other.token).status_code == 200
    assert [draft.code for draft in account.code_drafts.all()] == ["at home"]


def test_an_old_submission_opened_does_not_show_the_draft_as_its_code(client):
    save(client, "draft")
    client.post(PAGE, {"code": "submitted", "kind": "submit"})
    row = making.Submission.objects.get()
    text = client.get(f"{PAGE}?from={row.pk}").content.decode()
    assert "\nsubmitted</textarea>" in text
    assert ">draft</template>" in text


def test_the_starter_can_be_had_without_a_script(client):
    save(client, "draft")
    assert "\ndraft</textarea>" not in client.get(f"{PAGE}?from=starter").content.decode()


def test_only_posts_with_their_token_save(client):
    assert client.get(ADDRESS).status_code == 405
    assert client.post(at("/exercises/none/draft/"), {"code": "x"}).status_code == 404
    assert not Draft.objects.exists()


def test_a_learner_deleted_during_a_save_is_told_and_nothing_is_kept(client, monkeypatch):
    gone = Learner.objects.create()
    Learner.objects.filter(pk=gone.pk).delete()
    monkeypatch.setattr(views, "kept_learner", lambda request, **_: nullcontext(gone))
    answer = save(client, "mine")
    assert answer.status_code == 409
    assert "reload the page" in answer.json()["message"]
    assert "token" not in answer.json()
    assert not Draft.objects.exists()


def owner(client):
    return re.search(r'data-owner="(\w*)"( data-account)?', client.get(PAGE).content.decode())


def test_the_page_says_whose_drafts_the_browser_may_show(client):
    assert owner(client)[1] == ""  # nobody yet
    save(client, "mine")
    mine = owner(client)
    assert mine[1]
    assert mine[2] is None
    assert str(Learner.objects.get().uuid).replace("-", "")[:8] not in mine[1]
    ada, ben = (User.objects.create_user(name) for name in ("ada", "ben"))
    marks = [mine[1]]
    for user in (ada, ben):
        client.force_login(user)
        marks.append(owner(client)[1])
        assert owner(client)[2]
    assert len(set(marks)) == 3
    save(client, "ben's")
    assert owner(client)[1] == marks[2]  # the same after the account has got a learner


def test_after_signing_out_the_browser_forgets_what_it_kept(client):
    client.force_login(User.objects.create_user("ada"))
    assert "Clear-Site-Data" not in client.get(PAGE)
    assert client.post(reverse("account_logout"))["Clear-Site-Data"] == '"storage"'
    assert owner(client)[1] == ""
