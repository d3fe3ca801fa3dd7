"""Numbers at a link: what is stored, who sees it, what ends it."""

import json

import numpy as np
import pytest
from django.test import Client

from quizzes.exercises.models import SharedNumbers
from quizzes.learners.models import User
from quizzes.study.data_erasure import erase
from quizzes.study.lab import sharing
from quizzes.study.my_data import export_of
from tests import factories
from tests.study.lab.lab_runs import LAB, a_table, page_of, run, share

pytestmark = [pytest.mark.django_db(transaction=True)]
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def browser() -> Client:
    return factories.create_browser("ada")


def link(row: SharedNumbers) -> str:
    return f"{LAB}shared/{row.token}/"


def figure(row: SharedNumbers, file: str = "heatmap.json?values=1") -> str:
    return f"/figures/shared-{row.token}/{file}"


def test_link_shows_numbers_and_no_code(browser: Client) -> None:
    row = share(browser, run(browser, a_table()))
    text = Client().get(link(row)).content.decode()
    assert "waves" in text
    assert "def f" not in text
    assert "ada" not in text.replace("data", "")
    shown = np.array(Client().get(figure(row)).json()["values"])
    assert np.abs(shown - a_table()).max() <= 1e-12


def test_revoked_link_shows_nothing(browser: Client) -> None:
    row = share(browser, run(browser, a_table()))
    assert Client().get(figure(row)).status_code == 200  # kept by the process from now on
    assert browser.post(f"{link(row)}revoke/").status_code == 302
    answer = Client().get(link(row))
    assert answer.status_code == 404
    assert "Their owner has stopped sharing them" in answer.content.decode()
    assert Client().get(figure(row)).status_code == 404
    query = f"enc=shared-{row.token}/heatmap&enc=rope/scores&a.positions=4&b.base=100"
    answer = Client().get(f"/explore/?{query}")
    assert answer.status_code == 400
    text = answer.content.decode()
    assert "These numbers are no longer shared" in text
    assert "Make some in the lab" in text
    assert "this page has no figure" not in text
    assert "?enc=rope/scores&amp;a.base=100&amp;with=alibi" in text


def test_others_revoke_nothing(browser: Client) -> None:
    row = share(browser, run(browser, a_table()))
    for other in (Client(), factories.create_browser("bea")):
        assert other.post(f"{link(row)}revoke/").status_code == 404
        assert "Stop sharing" not in other.get(link(row)).content.decode()
    assert SharedNumbers.objects.get() == row


def test_others_share_nothing(browser: Client) -> None:
    row = run(browser, a_table())
    for other in (Client(), factories.create_browser("bea")):
        assert other.post(f"{page_of(row)}share/", {"name": "mine"}).status_code == 404
    assert not SharedNumbers.objects.exists()


def test_visitor_without_an_account_shares_nothing(client: Client) -> None:
    row = run(client, a_table())
    assert "Sign in" in client.get(page_of(row)).content.decode()
    assert client.post(f"{page_of(row)}share/", {"name": "mine"}).status_code == 404
    assert not SharedNumbers.objects.exists()


INVISIBLE = ["\u200b", "\u3164", "\u3164 \u3164", "\u200b \u200b", "\u2800", "\u2800 \u200b"]
LONG = ["x" * 61, "\ufb2c" * 60]  # composed, the latter has three characters for each


@pytest.mark.parametrize("name", ["", " \t", *INVISIBLE, *LONG])
def test_name_is_checked(browser: Client, name: str) -> None:
    row = run(browser, a_table())
    answer = browser.post(f"{page_of(row)}share/", {"name": name})
    assert answer.status_code == 400
    said = "the limit is 60" if name in LONG else "There is no name yet."
    assert said in answer.content.decode()
    assert not SharedNumbers.objects.exists()


def test_name_is_text_everywhere(browser: Client) -> None:
    row = share(browser, run(browser, a_table()), name=EVIL)
    pages = [link(row), LAB, f"/explore/?enc=shared-{row.token}/heatmap", "/me/data/"]
    for page in pages:
        assert EVIL not in browser.get(page).content.decode(), page
    assert "&lt;script&gt;alert(1)" in browser.get(link(row)).content.decode()


def test_numbers_that_are_not_finite_stay(browser: Client) -> None:
    table = a_table()
    table[0, 0] = np.nan
    row = run(browser, table)
    answer = browser.post(f"{page_of(row)}share/", {"name": "mine"})
    assert answer.status_code == 409
    assert not SharedNumbers.objects.exists()


def test_learner_shares_a_bounded_number(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "MOST_SHARED", 1)
    row = run(browser, a_table())
    share(browser, row)
    answer = browser.post(f"{page_of(row)}share/", {"name": "second"})
    assert answer.status_code == 409
    assert "Stop sharing one first" in answer.content.decode()


def test_account_takes_its_numbers_with_it(browser: Client) -> None:
    row = share(browser, run(browser, a_table()))
    user = User.objects.get(username="ada")
    told = json.dumps(export_of(learner=user.learner, user=user), default=str)
    assert "waves" in told
    erase(learner=user.learner, user=user)
    assert Client().get(link(row)).status_code == 404


@pytest.mark.parametrize("damage", [b"", b"12345678", np.full(32, np.nan).tobytes()])
def test_damaged_row_is_gone(browser: Client, damage: bytes) -> None:
    row = share(browser, run(browser, a_table()))
    SharedNumbers.objects.update(numbers=damage)
    assert Client().get(link(row)).status_code == 404
    assert Client().get(figure(row)).status_code == 404


def test_longest_name_is_stored(browser: Client) -> None:
    assert len(share(browser, run(browser, a_table()), name="\u00e9" * 60).name) == 60


def test_refused_name_leads_back_to_its_run(browser: Client) -> None:
    """The sliders of the page that refuses it are forms that ask for its address."""
    row = run(browser, a_table())
    answer = browser.get(f"{page_of(row)}share/?reach.distances=3")
    assert (answer.status_code, answer["Location"]) == (302, f"{page_of(row)}?reach.distances=3")


def test_second_press_shares_no_second_table(browser: Client) -> None:
    row = run(browser, a_table())
    first = share(browser, row)
    assert share(browser, row) == first
    assert share(browser, row, name="other") != first
    assert share(browser, run(browser, a_table())) != first


def test_search_engine_keeps_no_token(browser: Client) -> None:
    row = share(browser, run(browser, a_table()))
    pages = [link(row), figure(row), f"/explore/?enc=shared-{row.token}/heatmap"]
    for page in pages:
        answer = Client().get(page)
        assert answer["X-Robots-Tag"] == "noindex", page
        assert 'rel="canonical"' not in answer.content.decode(), page
    assert "X-Robots-Tag" not in Client().get("/explore/", follow=True)


def test_name_turns_no_words_around_it(browser: Client) -> None:
    """A right-to-left name is isolated, in attributes too."""
    row = share(browser, run(browser, a_table()), name="\u05d2\u05dc")
    page = Client().get(f"/explore/?enc=shared-{row.token}/heatmap").content.decode()
    assert 'aria-label="Views of \u2068\u05d2\u05dc\u2069"' in page
