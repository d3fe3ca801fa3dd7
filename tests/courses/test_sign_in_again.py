"""Work that was sent without its session: what is kept of it, for whom, how long and how much."""

import re
import time
from datetime import timedelta
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from django import forms
from django.contrib.sessions.models import Session
from django.core.files.base import ContentFile
from django.test import Client, RequestFactory
from django.utils.http import url_has_allowed_host_and_scheme
from hypothesis import given
from hypothesis import strategies as st

from quizzes.assessment.models import Attempt
from quizzes.courses import sign_in_again
from quizzes.courses.sign_in_again import KEPT
from quizzes.limits.limits import ROW_BYTES
from tests.factories import assign, create_class, create_member, create_quiz

pytestmark = pytest.mark.django_db
HERE = "http://testserver"


@pytest.fixture
def ada():
    return create_member(create_class(), "ada")


@pytest.fixture
def attempt(ada, client):
    """An attempt of Ada's at an assigned quiz, as the page of it stands open."""
    work = assign(ada.cohort, create_quiz())
    client.force_login(ada.user)
    client.post(work.quiz.get_absolute_url(), {"sitting": work.sitting})
    return Attempt.objects.get()


def form_of(client, address):
    """What the form of an attempt sends with the second option of each question."""
    page = client.get(address)
    sent = {"do": "submit", "opened_by": page.context["csrf_token"].account}
    for question in page.context["questions"]:
        sent |= {question.name: str(question.options[1].pk), question.was_name: question.was}
    return sent


def chosen_in(page):
    text = page.content.decode()
    return [tag for tag in text.split("<input ")[1:] if " checked" in tag.split(">")[0]]


def end_session():
    Session.objects.all().delete()


@pytest.mark.parametrize("says_whose", [True, False])
def test_answers_come_back_to_their_learner_alone(client, ada, attempt, says_whose):
    address = attempt.get_absolute_url()
    sent = form_of(client, address)
    if not says_whose:  # a page that stood open while the site was upgraded
        del sent["opened_by"]
    end_session()
    answer = client.post(address, sent)
    assert answer.status_code == (302 if says_whose else 404)
    assert attempt.responses.exclude(choice=None).count() == 0
    stranger = Client()
    stranger.cookies.load({"sessionid": client.cookies["sessionid"].value})
    client.force_login(ada.user)
    assert len(chosen_in(client.get(address))) == 2
    assert stranger.get(address).status_code == 404
    assert client.post(address, sent).status_code == 302
    attempt.refresh_from_db()
    assert attempt.submitted_at is not None
    assert attempt.responses.exclude(choice=None).count() == 2
    assert KEPT not in client.session


def test_late_autosave_deletes_no_new_session(client, ada, attempt):
    """Its answer may arrive after that of the form, which has the cookie of the new session."""
    address = attempt.get_absolute_url()
    sent = form_of(client, address)
    end_session()
    answer = client.post(address, sent, headers={"accept": "application/json"})
    assert (answer.status_code, list(answer.cookies)) == (403, [])


def test_time_that_ran_out_is_said_and_not_given_back(client, ada, attempt):
    address = attempt.get_absolute_url()
    sent = form_of(client, address)
    end_session()
    client.post(address, sent)
    # A minute ago is more than the seconds in which an answer on its way is taken.
    ago = attempt.started_at - timedelta(minutes=1)
    Attempt.objects.update(started_at=ago, deadline_at=ago)
    client.force_login(ada.user)
    page = client.get(address, follow=True)
    assert page.redirect_chain[-1][0].endswith("/review/?late=signed-out")
    sent_late = Attempt.objects.get().responses.exclude(choice=None).count()
    assert (sent_late, KEPT in client.session) == (0, False)
    assert "ended before you signed in again" in page.content.decode()


def test_work_waits_for_an_hour(client, ada, attempt, monkeypatch):
    address = attempt.get_absolute_url()
    sent = form_of(client, address)
    end_session()
    client.post(address, sent)
    later = time.time() + sign_in_again.LASTS
    monkeypatch.setattr(sign_in_again.time, "time", lambda: later)
    client.force_login(ada.user)
    assert chosen_in(client.get(address)) == []


def test_more_than_is_kept_is_shown_to_be_copied(client, ada, attempt, monkeypatch):
    monkeypatch.setattr(sign_in_again, "MOST_BYTES", 1000)
    address = attempt.get_absolute_url()
    mark = form_of(client, address)["opened_by"]
    end_session()
    answer = client.post(address, {"text": "a" * 1000, "opened_by": mark})
    assert answer.status_code == 403
    assert "copy it from here" in answer.content.decode()
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    ("origin", "is_back"), [(HERE, True), ("https://elsewhere.example", False), (None, False)]
)
def test_old_token_brings_back_forms_of_this_site_alone(ada, attempt, origin, is_back):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada.user)
    address = attempt.get_absolute_url()
    sent = form_of(browser, address)
    headers = {"origin": origin} if origin else {}
    answer = browser.post(address, sent | {"csrfmiddlewaretoken": "a" * 64}, headers=headers)
    assert answer.status_code == (302 if is_back else 403)
    assert len(chosen_in(browser.get(address))) == (2 if is_back else 0)
    assert attempt.responses.exclude(choice=None).count() == 0


def test_forged_mark_opens_nothing(client, ada, attempt):
    address = attempt.get_absolute_url()
    sent = form_of(client, address)
    forged = f"{ada.user.pk}:{'A' * 43}"
    end_session()
    client.post("/review/", sent | {"opened_by": forged})
    assert KEPT not in client.session


def test_password_is_never_kept(client, ada, attempt):
    mark = form_of(client, attempt.get_absolute_url())["opened_by"]
    end_session()
    for page in ("login", "password/change", "reauthenticate", "signup"):
        client.post(f"/accounts/{page}/", {"password": "a secret word", "opened_by": mark})
    assert KEPT not in client.session


def forms_below(form):
    return {form}.union(*map(forms_below, form.__subclasses__()))


def names_of_passwords():
    return {
        name
        for form in forms_below(forms.BaseForm)
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field.widget, forms.PasswordInput)
    }


def test_no_page_keeps_or_shows_a_password(client, ada, attempt):
    address = attempt.get_absolute_url()
    mark = form_of(client, address)["opened_by"]
    names = names_of_passwords()
    assert {"password", "oldpassword", "password1"} <= names
    for text in ("word", "w" * sign_in_again.MOST_BYTES):  # what is too much is shown
        end_session()
        sent = dict.fromkeys(names, "a secret word") | {"text": text, "opened_by": mark}
        answer = client.post("/me/data/", sent)
        assert "a secret word" not in answer.content.decode() + str(client.session.get(KEPT))


@pytest.mark.parametrize("long", ["body", "query", "page"])
def test_visitor_pays_for_all_that_is_kept(monkeypatch, db, long):
    costs = []
    limit = SimpleNamespace(spend=lambda _, cost: costs.append(cost * ROW_BYTES))
    monkeypatch.setattr(sign_in_again, "ROWS", limit)
    text = {one: "ä" * 1000 if one == long else "" for one in ("body", "query", "page")}
    browser = Client(enforce_csrf_checks=True)
    browser.cookies["any"] = "1"
    headers = {"origin": HERE, "referer": f"{HERE}/?{text['page']}"}
    browser.post(f"/review/?{text['query']}", {"text": text["body"]}, headers=headers)
    assert costs[0] > len(str(browser.session[KEPT]).encode())


@given(st.text(st.sampled_from("/\\\t@:.ae?#;%5Cä "), max_size=8))
def test_page_that_a_browser_names_is_of_this_site(path):
    for header in ("referer", "hx-current-url"):
        request = RequestFactory().post("/review/", headers={header: f"{HERE}/{path}"})
        page = sign_in_again._page_of(request)
        assert page.startswith("/")
        assert url_has_allowed_host_and_scheme(page, set())


def test_script_loads_its_page_once_more(ada, attempt):
    """The page is the one that is open already: another fragment of it would load nothing."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada.user)
    address = attempt.get_absolute_url()
    script = {"origin": HERE, "hx-request": "true", "hx-current-url": HERE + address}
    answer = browser.post(address, form_of(browser, address), headers=script)
    assert answer.headers["HX-Redirect"] == f"{address}#came-back"
    assert answer.headers["HX-Refresh"] == "true"


def test_text_is_shown_where_another_account_sends_it(client, ada, attempt):
    address = attempt.get_absolute_url()
    mark = form_of(client, address)["opened_by"]
    client.force_login(create_member(ada.cohort, "bea").user)
    answer = client.post(address, {"text": "<b> & more", "opened_by": mark})
    shown = re.findall(r"<textarea[^>]*>([^<]*)</textarea>", answer.content.decode())
    assert (answer.status_code, shown) == (403, ["&lt;b&gt; &amp; more"])
    draft = client.post(address, {"opened_by": mark}, headers={"accept": "application/json"}).json()
    assert "signed out" not in draft["message"]


@pytest.mark.parametrize("has_room_for_files", [True, False])
def test_note_asks_for_a_file_again(client, ada, attempt, has_room_for_files):
    address = attempt.get_absolute_url()
    sent = form_of(client, address)
    end_session()
    if has_room_for_files:
        client.post(address, sent | {"file": ContentFile(b"a", "a.txt")})
    else:
        client.post(address, urlencode(sent), content_type="application/x-www-form-urlencoded")
    client.force_login(ada.user)
    page = client.get(address).content.decode()
    assert "Nothing has been sent yet" in page
    assert ("If you chose a file, choose it again." in page) == has_room_for_files


def test_work_of_another_release_stops_no_page(client, ada, attempt):
    address = attempt.get_absolute_url()
    session = client.session
    session[KEPT] = [{"action": address, "words": "as another release kept it"}]
    session.save()
    assert client.get(address).status_code == 200
    client.force_login(ada.user)
    assert client.post(address, form_of(client, address)).status_code == 302
