"""Quiz pages: the way through, others' attempts, stale tabs, constant queries, no script needed."""

import pytest

from quizzes.assessment.models import Attempt, Option, QuestionVersion, Response
from quizzes.learners.models import Learner
from tests.assessment.content import write_question, write_quiz
from tests.courses import at

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture
def attempt(client, quiz):
    answer = client.post(at("/quiz/sums/"))
    attempt = Attempt.objects.get()
    assert answer.url == where(attempt)
    return attempt


def where(attempt, name="attempt"):
    own = attempt.get_absolute_url()
    return own if name == "attempt" else f"{own}{name}/"


def form(attempt, *, key=True, only=None):
    """Return the fields that the page's radio buttons would send."""
    responses = list(attempt.responses.all())[:only]
    return {
        f"response-{one.pk}": one.version.options.filter(is_key=key).first().pk for one in responses
    }


def test_looking_changes_nothing(client, quiz):
    for address in (at("/quiz/"), at("/quiz/sums/")):
        assert client.get(address).status_code == 200
    assert not Learner.objects.exists()
    assert not Attempt.objects.exists()


def test_the_way_through_without_a_script(client, attempt):
    page = client.get(where(attempt)).content.decode()
    assert page.count('type="radio"') == 9
    assert "<math" in page
    half = client.post(where(attempt), form(attempt, only=2) | {"do": "submit"}, follow=True)
    assert "1 question is not answered" in half.content.decode()
    assert Attempt.objects.get().submitted_at is None
    done = client.post(where(attempt), {"do": "submit-blank"})
    review = client.get(done.url).content.decode()
    assert "2 of 3 right" in review
    assert "Question 3: not answered" in review
    assert review.count("Count on your fingers.") == 3
    assert client.get(where(attempt)).url == where(attempt, "review")


def test_the_review_waits_for_submission(client, attempt):
    assert client.get(where(attempt, "review")).url == where(attempt)


def test_autosave_and_coming_back(client, attempt):
    answer = client.post(where(attempt), form(attempt, only=1), headers=JSON)
    assert answer.json() == {"answered": 1, "unread": {}, "read": {}}
    assert client.get(where(attempt)).content.decode().count(" checked") == 1
    again = client.post(at("/quiz/sums/"))
    assert again.url == where(attempt)


def test_attempt_names_cookie_of_token(client, attempt, settings):
    settings.CSRF_COOKIE_NAME = "__Host-csrftoken"
    page = client.get(where(attempt)).content.decode()
    assert '<form id="attempt"' in page
    assert 'data-csrf-cookie="__Host-csrftoken"' in page


def test_a_stale_tab_is_told_and_changes_nothing(client, attempt):
    client.post(where(attempt), {"do": "submit-blank"})
    late = client.post(where(attempt), form(attempt), headers=JSON)
    assert late.status_code == 409
    assert late.json()["review"] == where(attempt, "review")
    page = client.post(where(attempt), form(attempt) | {"do": "submit"}, follow=True)
    assert "had already been submitted" in page.content.decode()
    twice = client.post(where(attempt), {"do": "submit-blank"}, follow=True)
    assert "had already been submitted" not in twice.content.decode()
    assert not Response.objects.filter(choice__isnull=False).exists()


def test_what_a_stale_tab_did_not_touch_stays_as_the_other_tab_left_it(client, attempt):
    first, second, third = attempt.responses.all()
    old, new, _ = first.option_order
    client.post(where(attempt), {f"response-{first.pk}": old}, headers=JSON)
    stale = {
        f"was-{first.pk}": old,  # as the stale page was made
        f"response-{first.pk}": old,
        f"was-{second.pk}": "",
        f"response-{second.pk}": second.option_order[0],  # chosen in it
        f"was-{third.pk}": "",
        "do": "save",
    }
    client.post(where(attempt), {f"response-{first.pk}": new}, headers=JSON)
    page = client.post(where(attempt), stale, follow=True)
    assert "2 of 3 answered" in page.content.decode()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.choice_id, second.choice_id) == (new, second.option_order[0])


def test_a_pressed_button_answers_with_an_address_that_can_be_loaded_again(client, attempt):
    saved = client.post(where(attempt), form(attempt, only=1) | {"do": "save"})
    assert saved.url == f"{where(attempt)}?saved=1#saved"
    asked = client.post(where(attempt), {"do": "submit"})
    assert asked.url == f"{where(attempt)}?blank=1#blank"
    assert "2 questions are not answered" in client.get(asked.url).content.decode()
    client.post(where(attempt), form(attempt), headers=JSON)
    assert "not answered" not in client.get(asked.url).content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"response-x": "1"},
        {"response-1": "x"},
        {"response-1": "9" * 40},
        {"response-999999": "1"},
        {"response-": ""},
        {"response-١": "1"},
    ],
)
def test_bad_choices_are_named_and_nothing_is_saved(client, attempt, fields):
    answer = client.post(where(attempt), form(attempt) | fields, headers=JSON)
    assert answer.status_code == 400
    assert "response" in answer.json()["error"]
    assert client.post(where(attempt), form(attempt) | fields).status_code == 400
    assert not Response.objects.filter(choice__isnull=False).exists()


@pytest.mark.parametrize(
    "address", [at("/quiz/nothing/"), at("/quiz/sums/attempt/7/"), at("/quiz/x/attempt/1/")]
)
def test_what_does_not_exist_is_not_found(client, quiz, address):
    assert client.get(address).status_code == 404


def test_queries_do_not_grow_with_questions(
    client, attempt, tmp_path, load, django_assert_num_queries
):
    for number in range(12):
        write_question(tmp_path, f"more-{number}")
    write_quiz(tmp_path, "long", *[f"more-{number}" for number in range(12)])
    load()
    long = client.post(at("/quiz/long/")).url
    client.get(where(attempt))  # what is kept of the course is made anew at the first visit
    with django_assert_num_queries(6):
        client.get(where(attempt))
    client.get(long)
    with django_assert_num_queries(6):
        client.get(long)


def test_hostile_text_in_a_question_is_shown_as_text(client, tmp_path, load):
    """A load refuses such text today; rows of before may hold it."""
    harmless = """
prompt: "p"
step: a/b
options:
  - {text: "a", key: true, reason: "r"}
  - {text: "b", reason: "r"}
"""
    write_question(tmp_path, "bad", harmless)
    write_quiz(tmp_path, "bad", "bad")
    load()
    hostile = "<script>alert(1)</script> [x](javascript:alert(1))"
    QuestionVersion.objects.update(prompt=hostile)
    keys = Option.objects.filter(is_key=True)
    keys.update(text="<img src=x onerror=alert(1)>", reason="<style>*{}</style>")
    url = client.post(at("/quiz/bad/")).url
    page = client.get(url).content.decode()
    assert "<script>alert" not in page
    assert "javascript:alert" not in page.replace("](javascript:alert(1))", "")
    assert "<img src=x" not in page
