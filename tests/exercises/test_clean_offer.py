"""The button "Clean it": what it offers, the page without JavaScript, and the editor."""

import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from quizzes.exercises.clean_offer import offer_for
from quizzes.exercises.models import PreviousVerdict, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.services import grade_again
from quizzes.exercises.stored_reports import was_parsed
from quizzes.grader.judge.report import Report, ReportedFinding, Stage, Verdict
from tests.courses import at
from tests.exercises import making

PAGE = at("/exercises/sinusoidal-table/")
SPOILT = "def f(n):\n\u00a0\u00a0return “a” − n\n"
CLEAN = 'def f(n):\n  return "a" - n\n'
STOPPED = Report(
    Verdict.COULD_NOT_RUN,
    first_fault=ReportedFinding(Stage.IMPORTS, None, "Your code raised SyntaxError in line 2."),
    headline="Not yet: line 2 has a no-break space (U+00A0)",
    traceback='  File "submission.py", line 2\n    return\n    ^\nSyntaxError: invalid',
    parsed=False,
)


def send(client: Client, code: str, report: Report = STOPPED) -> Submission:
    client.post(PAGE, {"code": code, "kind": "submit", "key": ""})
    leases.record(lease=making.lease(), report=report)
    return Submission.objects.first()


@pytest.mark.django_db
def test_the_page_shows_what_changes_and_opens_with_clean_code(client, exercise):
    made = send(client, SPOILT)
    page = client.get(made.get_absolute_url()).content.decode()
    for change in (
        "no-break space (U+00A0) → a plain space, 2 times",
        "left double quotation mark (U+201C) → <code>&quot;</code>",
        "minus sign (U+2212) → <code>-</code>",
    ):
        assert f"<li>{change}</li>" in page
    form = re.search(r'<form class="notice verdict__clean"(.*?)</form>', page, re.DOTALL)
    assert form is not None
    assert f'name="from" value="{made.pk}"' in form[1]
    described = re.search(r'aria-describedby="([^"]+)"', form[1])
    assert described is not None
    assert f'<ul id="{described[1]}"><li>no-break space' in form[1]
    opened = client.get(PAGE, {"from": made.pk, "clean": "1"})
    assert opened.context["form"]["code"].value() == CLEAN
    assert "a plain space, 2 times; and 3 other changes." in opened.content.decode()
    assert client.get(PAGE, {"from": made.pk}).context["form"]["code"].value() == SPOILT


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "report"),
    [("x = 1  # “a”", STOPPED), ("x\ufe0f = 1", making.CORRECT), ("x = y²", STOPPED)],
)
def test_nothing_is_offered_where_nothing_would_help(client, exercise, code, report):
    page = client.get(send(client, code, report).get_absolute_url()).content.decode()
    assert "Clean it" not in page


@pytest.mark.django_db
def test_another_persons_page_has_no_button(client, exercise, django_user_model):
    made = send(client, SPOILT)
    assert Client().get(made.get_absolute_url()).status_code == 404
    opened = Client().get(PAGE, {"from": made.pk, "clean": "1"})
    assert opened.status_code == 404


def test_what_cannot_be_submitted_is_not_offered():
    assert offer_for("x = …" + " " * 19_994 + "1") is None  # three dots are too many
    assert offer_for("\u200b") is None
    assert offer_for('{"cells": [], "nbformat": 4}') is None


def test_many_kinds_are_listed_in_short():
    offer = offer_for("（）［］｛｝，：\u00a0x\n")
    assert offer is not None
    assert len(offer.changes) == 7
    assert offer.changes[-1] == "3 other characters"
    assert offer.in_words == (
        "Cleaned: fullwidth left parenthesis (U+FF08) → (; and 6 other changes."
    )


@pytest.mark.django_db
def test_grading_again_forgets_that_it_was_not_read(client, exercise):
    made = send(client, SPOILT)
    assert not Submission.objects.get(pk=made.pk).parsed
    assert grade_again(submission=made)
    assert Submission.objects.get(pk=made.pk).parsed
    assert not was_parsed(PreviousVerdict.objects.get().report)


def button_of_spoilt_code(page, address):
    """Submit spoilt code and return the button that cleans it."""
    page.goto(address)
    page.locator(".cm-content").wait_for()
    page.locator("#id_code").evaluate(
        "(c, text) => { c.value = text; c.dispatchEvent(new Event('input', {bubbles: true})) }",
        SPOILT,
    )
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict [data-ask]").wait_for(state="attached")
    leases.record(lease=making.lease(), report=STOPPED)
    button = page.get_by_role("button", name="Clean it")
    expect(button).to_be_enabled(timeout=15_000)
    return button


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_clean_code_goes_into_the_editor_and_back(page, address):
    button = button_of_spoilt_code(page, address)
    page.locator("#id_code").evaluate("c => c.dispatchEvent(new CustomEvent('jump', {detail: 1}))")
    page.keyboard.type("#")
    expect(button).to_be_disabled()  # what was edited since would be lost
    page.keyboard.press("Backspace")
    expect(button).to_be_enabled()
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#draft-text")).to_contain_text("Cleaned: no-break space (U+00A0)")
    expect(page.locator(".cm-content")).to_be_focused()
    assert page.input_value("#id_code") == CLEAN
    page.keyboard.press("ControlOrMeta+Z")
    assert page.input_value("#id_code") == SPOILT


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_clean_code_is_a_draft_that_can_be_taken_back(page, address):
    button = button_of_spoilt_code(page, address)
    button.click()
    page.get_by_role("button", name="Undo").click()
    assert page.input_value("#id_code") == SPOILT
    button.click()
    expect(page.locator("#draft-state")).to_have_text("Draft saved.")
    page.reload()
    expect(page.locator("#draft-text")).to_contain_text("This is your draft")
    assert page.input_value("#id_code") == CLEAN
