"""What was done without an account is kept when its owner signs up or signs in."""

import pytest
from django.urls import reverse

from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.recognition import COOKIE
from quizzes.learners.services import adopt, progress_of, record_progress

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return User.objects.create_user("ada", password="difference engine 2")


@pytest.fixture
def anonymous():
    learner = Learner.objects.create()
    record_progress(learner=learner, kind="step", slug="a/b", state="seen")
    record_progress(learner=learner, kind="quiz", slug="q", state="done")
    return learner


def test_a_new_account_takes_the_learner_as_it_is(ada, anonymous):
    assert adopt(learner=anonymous, user=ada) == anonymous
    assert Learner.objects.get(user=ada).progress.count() == 2


def test_an_account_with_progress_keeps_the_best_of_both(ada, anonymous):
    own = Learner.objects.create(user=ada)
    record_progress(learner=own, kind="step", slug="a/b", state="done")
    record_progress(learner=own, kind="quiz", slug="q", state="shaky")
    assert adopt(learner=anonymous, user=ada) == own
    assert progress_of(own, "step", ["a/b"]) == {"a/b": "done"}
    assert progress_of(own, "quiz", ["q"]) == {"q": "done"}
    assert not Learner.objects.filter(pk=anonymous.pk).exists()


def test_adopting_twice_changes_nothing(ada, anonymous):
    adopt(learner=anonymous, user=ada)
    assert adopt(learner=anonymous, user=ada) == anonymous
    assert Progress.objects.count() == 2


def test_an_account_cannot_take_the_learner_of_another(ada, anonymous):
    adopt(learner=anonymous, user=ada)
    bob = User.objects.create_user("bob")
    assert adopt(learner=anonymous, user=bob) != anonymous
    assert Learner.objects.get(user=ada) == anonymous


def test_progress_never_gets_worse(anonymous):
    for state in ("done", "seen", "shaky"):
        record_progress(learner=anonymous, kind="exercise", slug="x", state=state)
    assert progress_of(anonymous, "exercise", ["x", "y"]) == {"x": "done"}


def sign_up(client, name):
    return client.post(
        reverse("account_signup"), {"username": name, "password1": "difference engine 2"}
    )


def test_signing_up_over_the_web_keeps_progress_and_clears_the_cookie(client, anonymous):
    remember(client, anonymous)
    assert sign_up(client, "grace").status_code == 302
    assert Learner.objects.get(user__username="grace") == anonymous
    assert client.cookies[COOKIE].value == ""


def test_signing_in_over_the_web_merges_and_signing_out_leaves_a_stranger(client, ada, anonymous):
    own = Learner.objects.create(user=ada)
    remember(client, anonymous)
    signed_in = client.post(
        reverse("account_login"), {"login": "ada", "password": "difference engine 2"}
    )
    assert signed_in.status_code == 302
    assert own.progress.count() == 2
    client.post(reverse("account_logout"))
    assert not client.cookies[COOKIE].value


def remember(client, learner):
    """Put into the test client the cookie this learner's browser would hold."""
    from django.core import signing

    client.cookies[COOKIE] = signing.dumps(str(learner.uuid), salt=COOKIE)
