"""What was done without an account is kept when its owner signs up or signs in."""

from datetime import timedelta

import pytest
from django.core import signing
from django.db.models import UniqueConstraint
from django.urls import reverse
from django.utils import timezone

from quizzes.learners.account_merge import columns_naming_learners
from quizzes.learners.identity import LEARNER
from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.services import adopt, progress_of, record_progress
from quizzes.limits.learner_cookie import FORMER_NAME as COOKIE
from tests.courses import some_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def ada():
    return User.objects.create_user("ada", password="difference engine 2")


@pytest.fixture
def anonymous():
    learner = Learner.objects.create()
    record_progress(some_course().pk, learner=learner, kind="step", slug="a/b", state="seen")
    record_progress(some_course().pk, learner=learner, kind="quiz", slug="q", state="done")
    return learner


def test_a_new_account_takes_the_learner_as_it_is(ada, anonymous):
    assert adopt(learner=anonymous, user=ada) == anonymous
    assert Learner.objects.get(user=ada).progress.count() == 2


def test_an_account_with_progress_keeps_the_best_of_both(ada, anonymous):
    own = Learner.objects.create(user=ada)
    record_progress(some_course().pk, learner=own, kind="step", slug="a/b", state="done")
    record_progress(some_course().pk, learner=own, kind="quiz", slug="q", state="shaky")
    assert adopt(learner=anonymous, user=ada) == own
    assert progress_of(some_course().pk, own, "step", ["a/b"]) == {"a/b": "done"}
    assert progress_of(some_course().pk, own, "quiz", ["q"]) == {"q": "done"}
    assert not Learner.objects.filter(pk=anonymous.pk).exists()


@pytest.mark.parametrize(
    ("before", "state"),
    [("", "done"), ("seen", "done"), ("done", "done"), ("", "seen"), ("seen", "seen")],
)
@pytest.mark.parametrize("days", [3, 40])
def test_merged_work_keeps_its_newest_time(ada, before, state, days):
    """A step that a visitor met 20 days ago, and the account 3 or 40 days ago."""
    ago = {number: timezone.now() - timedelta(days=number) for number in (3, 20, 40)}
    own, visitor = Learner.objects.create(user=ada), Learner.objects.create()
    step = {"kind": "step", "slug": "a/b"}
    if before:
        record_progress(some_course().pk, learner=own, **step, state=before, at=ago[days])
    record_progress(some_course().pk, learner=visitor, **step, state=state, at=ago[20])
    adopt(learner=visitor, user=ada)
    row = own.progress.get()
    newest = ago[3] if before and days == 3 else ago[20]
    assert (row.state, row.updated_at) == (state, newest)
    first_done = ago[40] if before == "done" and days == 40 else ago[20]
    assert row.done_at == (first_done if state == "done" else None)


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
        record_progress(some_course().pk, learner=anonymous, kind="exercise", slug="x", state=state)
    assert progress_of(some_course().pk, anonymous, "exercise", ["x", "y"]) == {"x": "done"}


def sign_up(client, name):
    return client.post(
        reverse("account_signup"), {"username": name, "password1": "difference engine 2"}
    )


def sign_in(client, name):
    return client.post(reverse("account_login"), {"login": name, "password": "difference engine 2"})


def test_signing_up_over_the_web_keeps_progress_and_clears_the_cookie(client, anonymous):
    remember(client, anonymous)
    assert sign_up(client, "grace").status_code == 302
    assert Learner.objects.get(user__username="grace") == anonymous
    assert client.cookies[COOKIE].value == ""


def test_signing_in_over_the_web_merges_and_signing_out_leaves_a_stranger(client, ada, anonymous):
    own = Learner.objects.create(user=ada)
    remember(client, anonymous)
    signed_in = sign_in(client, "ada")
    assert signed_in.status_code == 302
    assert own.progress.count() == 2
    assert not client.cookies[COOKIE].value
    client.post(reverse("account_logout"))
    remember(client, own)  # even a copy of an old cookie does not open the account's learner
    page = client.get("/")
    assert not LEARNER.get(page.wsgi_request)


def remember(client, learner):
    """Put into the test client the cookie this learner's browser would hold."""
    client.cookies[COOKIE] = signing.dumps(str(learner.uuid), salt=COOKIE)


def test_a_visitor_after_signing_out_begins_afresh_and_can_sign_in_again(client, ada):
    for turn in range(2):
        anonymous = Learner.objects.create()
        record_progress(
            some_course().pk, learner=anonymous, kind="step", slug=f"a/{turn}", state="done"
        )
        remember(client, anonymous)
        sign_in(client, "ada")
        client.post(reverse("account_logout"))
    assert Learner.objects.get().progress.count() == 2


def test_every_column_that_names_a_learner_is_known():
    """Nothing a visitor did may be left behind, also in tables without a reverse name."""
    columns = {(model.__name__, field) for model, field in columns_naming_learners()}
    assert columns >= {
        ("Progress", "learner"),
        ("Attempt", "learner"),
        ("Response", "learner"),
        ("ReviewCard", "learner"),
        ("Submission", "learner"),
    }


# Each is settled before the rows are re-pointed (or cannot clash), and has a test that merges.
SETTLED = {
    "one_progress_row_per_thing": "the best state is kept",
    "one_open_attempt_per_sitting": "assessment.merge_learners",
    "one_open_attempt_in_practice": "assessment.merge_learners",
    "one_inline_response_per_question": "assessment.merge_learners",
    "one_review_card_per_thing": "learners.review",
    "one_submission_per_form": "the key of a form is drawn at random",
}


def test_what_only_one_of_a_learner_may_have_is_settled_when_two_become_one():
    """A new constraint of this kind needs `settle_rows_of_both`, or nobody signs in."""
    for model, field in columns_naming_learners():
        relation = model._meta.get_field(field)
        assert not relation.unique, f"{model.__name__}.{field}: settle it in `settle_rows_of_both`"
        for constraint in model._meta.constraints:
            if isinstance(constraint, UniqueConstraint) and field in constraint.fields:
                assert constraint.name in SETTLED, constraint.name
