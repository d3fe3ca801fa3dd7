"""Who is learning: newcomers, returning browsers, accounts, forged and left-over cookies."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from quizzes.learners.identity import LearnerMiddleware
from quizzes.learners.models import Learner, User
from quizzes.learners.services import current_learner, kept_learner, learner_for_writing
from quizzes.limits.learner_cookie import FORMER_NAME as COOKIE

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def visit(action, *, user=None, cookies=None, csrf=None):
    """Run `action(request)` behind the middleware; return its result and the response."""
    request = RequestFactory().post("/")
    request.user = user or AnonymousUser()
    request.COOKIES.update(cookies or {})
    if csrf:
        request.META["CSRF_COOKIE"] = csrf
    results = []

    def view(request):
        results.append(action(request))
        return HttpResponse()

    response = LearnerMiddleware(view)(request)
    return results[0], response


def cookies_of(response):
    return {name: morsel.value for name, morsel in response.cookies.items()}


def test_reading_makes_no_row_and_no_cookie():
    learner, response = visit(current_learner)
    assert learner is None
    assert not Learner.objects.exists()
    assert not response.cookies


def test_writing_makes_a_learner_whom_the_cookie_brings_back():
    made, response = visit(learner_for_writing)
    cookie = response.cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert int(cookie["max-age"]) > 360 * 24 * 3600
    back, again = visit(learner_for_writing, cookies=cookies_of(response))
    assert back == made
    assert not again.cookies


def test_writing_twice_in_one_request_makes_one_learner():
    (first, second), _ = visit(lambda r: (learner_for_writing(r), learner_for_writing(r)))
    assert first == second
    assert Learner.objects.count() == 1


@pytest.mark.parametrize("value", ["", "nonsense", "a:b:c", "\x00", "x" * 5000])
def test_a_forged_cookie_is_a_newcomer(value):
    visit(learner_for_writing)
    assert visit(current_learner, cookies={COOKIE: value})[0] is None


def keep_nothing(request):
    with suppress(LookupError), kept_learner(request):
        assert Learner.objects.count() == 1
        raise LookupError


def test_a_newcomer_of_whom_nothing_is_kept_was_never_there():
    def refused_and_again(request):
        keep_nothing(request)
        return current_learner(request), learner_for_writing(request)

    _, response = visit(keep_nothing)
    assert not response.cookies
    assert not Learner.objects.exists()
    (seen, later), response = visit(refused_and_again)
    assert seen is None
    assert Learner.objects.get() == later
    visit(keep_nothing, cookies=cookies_of(response))
    assert Learner.objects.get() == later, "who was there stays"


def test_an_account_has_one_learner_and_needs_no_cookie():
    user = User.objects.create_user("ada")
    made, response = visit(learner_for_writing, user=user)
    assert made.user == user
    assert not response.cookies
    assert visit(learner_for_writing, user=user)[0] == made


def test_the_cookie_of_an_adopted_learner_opens_nothing():
    made, response = visit(learner_for_writing)
    made.user = User.objects.create_user("ada")
    made.save()
    assert visit(current_learner, cookies=cookies_of(response))[0] is None


def test_the_first_posts_of_a_page_sent_at_once_find_one_learner():
    first, _ = visit(learner_for_writing, csrf="a" * 32)
    second, response = visit(learner_for_writing, csrf="a" * 32)
    assert first == second
    assert cookies_of(response)[COOKIE]
    assert visit(learner_for_writing, csrf="b" * 32)[0] != first


def test_the_token_of_a_page_is_no_second_key_to_a_learner():
    """After a minute, or once the learner belongs to an account, the same token is a newcomer."""
    late, _ = visit(learner_for_writing, csrf="a" * 32)
    Learner.objects.update(created_at=timezone.now() - timedelta(minutes=2))
    assert visit(learner_for_writing, csrf="a" * 32)[0] != late
    adopted, _ = visit(learner_for_writing, csrf="b" * 32)
    Learner.objects.filter(pk=adopted.pk).update(user=User.objects.create_user("ada"))
    assert visit(learner_for_writing, csrf="b" * 32)[0] != adopted


def test_the_year_of_the_cookie_begins_anew_for_a_visitor_who_comes_back():
    made, response = visit(learner_for_writing)
    Learner.objects.update(last_seen_at=timezone.now() - timedelta(days=300))
    back, again = visit(learner_for_writing, cookies=cookies_of(response))
    assert back == made
    assert int(again.cookies[COOKIE]["max-age"]) > 360 * 24 * 3600
    made.refresh_from_db()
    assert timezone.now() - made.last_seen_at < timedelta(minutes=1)


def test_a_cookie_of_before_the_prefix_counts_and_no_new_one_under_its_name(settings):
    """Or another site of the domain could lead a visitor into a learner of its own."""
    before, response = visit(learner_for_writing)
    settings.LEARNER_COOKIE_NAME = "__Host-learner"
    assert visit(current_learner, cookies=cookies_of(response))[0] == before
    moved = {"__Host-learner": cookies_of(response)[COOKIE]}  # of the version between
    assert visit(current_learner, cookies=moved)[0] == before
    now, response = visit(learner_for_writing)
    made = cookies_of(response)
    assert visit(current_learner, cookies=made)[0] == now
    assert visit(current_learner, cookies={COOKIE: made["__Host-learner"]})[0] is None


@pytest.mark.parametrize("is_claimed", [True, False])
def test_a_learner_forgotten_during_the_request_is_a_newcomer(is_claimed):
    made, response = visit(learner_for_writing)
    long_ago = timezone.now() - timedelta(days=91)
    Learner.objects.update(is_claimed=is_claimed, last_seen_at=long_ago)

    def forgotten_meanwhile(request):
        assert current_learner(request) == made
        Learner.objects.all().delete()
        return learner_for_writing(request)

    new, again = visit(forgotten_meanwhile, cookies=cookies_of(response))
    assert Learner.objects.get() == new != made
    assert visit(current_learner, cookies=cookies_of(again))[0] == new


@pytest.mark.parametrize("https", [True, False])
def test_the_cookie_travels_as_safely_as_the_session(settings, https):
    settings.SESSION_COOKIE_SECURE = https
    _, response = visit(learner_for_writing)
    assert bool(response.cookies[COOKIE]["secure"]) is https
