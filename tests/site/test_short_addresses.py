"""The addresses from before there were several courses lead into the home course, for ever."""

from urllib.parse import unquote, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from quizzes.assessment.models import Attempt, Question, Response
from quizzes.courses.models import Course
from tests.courses import SLUG, at, some_course
from tests.shipped_course import load_shipped_course

# What the site had, as learners keep it in bookmarks and open tabs: before, within the course.
MOVED = {
    "/learn/": "/learn/",
    "/learn/rope/": "/learn/rope/",
    "/learn/rope/turning-pairs/?codes.d_model=12&x=%C3%A4": (
        "/learn/rope/turning-pairs/?codes.d_model=12&x=%C3%A4"
    ),
    "/learn/rope/turning-pairs/predict/turns/": "/learn/rope/turning-pairs/predict/turns/",
    "/deep-dive/": "/deep-dive/",
    "/deep-dive/3/": "/deep-dive/3/",
    "/quiz/": "/quiz/",
    "/quiz/test-your-understanding/": "/quiz/test-your-understanding/",
    "/quiz/test-your-understanding/attempt/5/": "/quiz/test-your-understanding/attempt/5/",
    "/quiz/test-your-understanding/attempt/5/review/?late=1": (
        "/quiz/test-your-understanding/attempt/5/review/?late=1"
    ),
    "/questions/row-zero/answer/": "/questions/row-zero/answer/",
    "/exercises/": "/exercises/",
    "/exercises/rope/?from=7": "/exercises/rope/?from=7",
    "/exercises/rope/draft/": "/exercises/rope/draft/",
    "/exercises/rope/submissions/7/?compare=6": "/exercises/rope/submissions/7/?compare=6",
    "/exercises/rope/submissions/7/verdict/?asked=3": (
        "/exercises/rope/submissions/7/verdict/?asked=3"
    ),
    "/exercises/rope/submissions/7/report.json": "/exercises/rope/submissions/7/report.json",
    "/exercises/rope/submissions/7/expected.svg?scheme=dark": (
        "/exercises/rope/submissions/7/expected.svg?scheme=dark"
    ),
    "/map/?focus=rope": "/map/?focus=rope",
    "/map/outline/": "/map/outline/",
    "/me/progress/": "/progress/",
    "/practice/row-zero/": "/practice/row-zero/",
}
# What may stand behind a short address and is no page: it must not lead off the site either.
ODD = (
    "/evil.example/",
    "//evil.example/",
    "\\\\evil.example/",
    "@evil.example/",
    ":80/",
    "..",
    "../../../../evil.example/",
    "%2e%2e/%2e%2e/",
    "%2F%2Fevil.example/",
    "%5Cevil.example",
    "%0d%0aLocation:%20//evil.example/",
    "a%0Ab/",
    "a%00b/",
    "a%3Fb=1/",
    "a%23b/",
    "a%25b/",
    "ü/",
    "%ff%fe/",
    ";a=b/",
    "javascript:alert(1)",
    "https://evil.example/",
    "<script>/",
    "x" * 3000,
    "ü" * 1000,
)


@pytest.fixture
def home(db: None) -> Course:
    """The home course, beside one that comes later."""
    home = some_course()
    Course.objects.create(slug="another", title="Another", summary="x", place=1)
    return home


@pytest.mark.parametrize(("before", "now"), MOVED.items())
def test_it_leads_into_the_home_course(client: Client, home: Course, before: str, now: str) -> None:
    for method, status in (("get", 301), ("head", 301), ("post", 308), ("put", 308)):
        answer = getattr(client, method)(before)
        assert (answer.status_code, answer.headers["Location"]) == (status, at(now))


@pytest.mark.parametrize("now", MOVED.values())
def test_what_it_leads_to_is_a_page(now: str) -> None:
    resolve(urlsplit(at(now)).path)


def test_the_home_course_is_the_first_by_its_place(client: Client, home: Course) -> None:
    Course.objects.filter(slug="another").update(place=0)
    Course.objects.filter(pk=home.pk).update(place=5)
    assert client.get("/learn/").headers["Location"] == "/c/another/learn/"


def test_a_site_without_courses_forwards_no_form(client: Client, db: None) -> None:
    assert client.post("/questions/row-zero/answer/").status_code == 404
    assert client.get("/learn/rope/").headers["Location"] == "/courses/"
    assert client.get("/learn/rope/").status_code == 302  # not for ever: a course may come


def is_within(location: str) -> bool:
    """Return whether a browser at our address that is sent to `location` stays with the course."""
    parts = urlsplit(location)
    return (
        not parts.scheme
        and not parts.netloc
        and location.startswith(f"/c/{SLUG}/")
        and not any(ord(letter) < 33 or ord(letter) > 126 or letter == "\\" for letter in location)
    )


@pytest.mark.covering
@pytest.mark.parametrize("rest", ODD)
@pytest.mark.parametrize("short", ["learn", "quiz", "exercises", "map", "practice", "me/progress"])
def test_an_odd_rest_never_leads_off_the_site(
    client: Client, home: Course, short: str, rest: str
) -> None:
    for method in (client.get, client.post):
        answer = method(f"/{short}/{rest}")
        assert answer.status_code in {301, 308, 400, 404}
        if answer.status_code in {301, 308}:
            assert is_within(answer.headers["Location"]), answer.headers["Location"]


class AnyRest(TestCase):
    """Whatever is asked for, by characters that mean something in an address."""

    @given(st.text(st.sampled_from("/.\\:@%?#&=;z0\n\r\t ü"), max_size=12), st.booleans())
    def test_it_leads_to_the_same_page_of_the_course(self, rest: str, is_read: bool) -> None:
        some_course()
        ask = self.client.get if is_read else self.client.post
        answer = ask(f"/learn/{rest}")
        assert answer.status_code in {301, 308, 404}
        if answer.status_code != 404:
            location = answer.headers["Location"]
            assert is_within(location)
            assert unquote(urlsplit(location).path) == at(f"/learn/{asked_path(rest)}")


def asked_path(rest: str) -> str:
    """Return what the test's client asks for: a path without query and fragment."""
    return unquote(urlsplit(f"http://testserver/learn/{rest}").path).removeprefix("/learn/")


def test_the_query_is_kept_as_it_was_sent(client: Client, home: Course) -> None:
    query = "a=1&a=2&b=%2F%2Fevil.example&c=+%20&d=ü".encode().decode("latin-1")
    answer = client.get("/learn/rope/", QUERY_STRING=query)
    kept = at("/learn/rope/?a=1&a=2&b=%2F%2Fevil.example&c=+%20&d=")
    assert answer.headers["Location"].startswith(kept)


def test_nothing_else_is_short(client: Client, home: Course) -> None:
    for path in ("/learning/", "/learn", "/quizzes/", "/progress/", "/c/", "/xlearn/rope/"):
        with pytest.raises(Resolver404):
            resolve(path)


@pytest.mark.slow
def test_a_tab_from_before_loses_no_answer(client: Client, db: None) -> None:
    """Its forms have the old addresses; the browser sends the same form again, as 308 asks."""
    load_shipped_course()
    question = Question.objects.get(slug="row-zero")
    key = question.current.options.get(is_key=True)
    data = {"option": key.pk, "step": "sinusoidal-values/the-formula"}
    answered = client.post("/questions/row-zero/answer/", data, follow=True)
    assert [status for _, status in answered.redirect_chain] == [308, 302]
    assert Response.objects.get().is_right
    begun = client.post("/quiz/test-your-understanding/", follow=True)
    attempt = Attempt.objects.get()
    assert begun.redirect_chain[-1] == (attempt.get_absolute_url(), 302)
    row = attempt.responses.exclude(option_order=[]).first()
    assert row is not None
    fields = {f"response-{row.pk}": row.option_order[0], "do": "save"}
    tab = f"/quiz/test-your-understanding/attempt/{attempt.pk}/"
    assert client.post(tab, fields, follow=True).status_code == 200
    row.refresh_from_db()
    assert row.choice_id == row.option_order[0]


def test_a_form_without_the_token_is_refused_before_it_is_led_on(db: None) -> None:
    some_course()
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post("/questions/row-zero/answer/").status_code == 403
