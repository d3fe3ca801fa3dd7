"""The start page's program with one slip: a real Check, and its verdict in place."""

import re
from html import unescape

import pytest
from playwright.sync_api import expect

from quizzes.exercises.models import Draft, Exercise, ExerciseVersion, Submission
from quizzes.exercises.queue import leases, long_poll
from quizzes.grader.judge import grade_code
from quizzes.learners.models import Learner
from quizzes.study.slip import EXERCISE, PROGRAM
from tests.accessible import serious_findings
from tests.browser import press_until_focused, sideways_scroll
from tests.courses import at, some_course
from tests.exercises import making
from tests.exercises.asking import HTMX
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.working_member import load_verified_course, verify_exercises

TITLE = "This program has one slip"
PHONE_COLUMNS = 43  # letters of code in a line
GRADING_MS = 30_000


@pytest.fixture
def verified(db, monkeypatch):
    monkeypatch.setattr(long_poll, "WAIT_SECONDS", 0)
    load_verified_course()


def slip_form(client) -> tuple[str, dict[str, str]]:
    """Return the address and the fields of the form, as the button sends them."""
    page = client.get("/").content.decode()
    form = re.search(r'<form id="code-form".*?</form>', page, re.S)[0]
    fields = dict(re.findall(r'<input type="hidden"\s+name="(\w+)"[^>]*\svalue="([^"]*)"', form))
    code = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", form, re.S)[1]
    return re.search(r'action="([^"]+)"', form)[1], {**fields, "code": unescape(code)}


@pytest.mark.sandbox
def test_judge_names_the_slip():
    student = shared_sandbox("student")
    report = grade_code(shared_pack(EXERCISE), PROGRAM, student, shown_only=True)
    assert report.known_mistake is not None
    assert report.known_mistake.slug == "cos_own_exponent"
    assert report.second_mistake is None
    repaired = PROGRAM.replace("(col / d)", "((col - col % 2) / d)")
    assert grade_code(shared_pack(EXERCISE), repaired, student).verdict.solves


def test_program_is_six_lines_of_a_phone():
    lines = [line for line in PROGRAM.splitlines() if line]
    assert len(lines) == 6
    assert max(map(len, lines)) <= PHONE_COLUMNS


@pytest.mark.both_databases
def test_visitor_checks_it_without_a_script(client, verified):
    address, fields = slip_form(client)
    assert not Learner.objects.exists()  # looking is not learning
    answer = client.post(address, fields)
    row = Submission.objects.get()
    assert (row.kind, row.code, row.learner.user) == ("check", PROGRAM, None)
    assert row.exercise_version.exercise.slug == EXERCISE
    assert answer.url == row.get_absolute_url()
    assert "Continue" in client.get(answer.url).content.decode()
    assert not Draft.objects.exists()


@pytest.mark.both_databases
def test_verdict_leads_to_the_editor(client, verified):
    address, fields = slip_form(client)
    client.post(address, fields, **HTMX)
    leases.record(lease=making.lease(), report=making.WRONG)
    row = Submission.objects.get()
    onward = f"{at(f'/exercises/{EXERCISE}/')}?from={row.pk}#id_code"
    verdict = client.get(row.verdict_address, {"with": fields["with"]}, **HTMX).content.decode()
    assert f'href="{onward}">Repair it yourself' in verdict
    assert "data-jump" not in verdict
    assert PROGRAM in client.get(onward).content.decode().replace("&gt;", ">")
    bench = client.get(row.verdict_address, {"with": "history"}, **HTMX).content.decode()
    assert "Repair it yourself" not in bench
    assert "data-jump" in bench


def test_refusal_names_no_field_above(client, verified):
    address, fields = slip_form(client)
    client.post(address, fields, **HTMX)
    answer = client.post(address, {**slip_form(client)[1], "code": "x = 1"}, **HTMX)
    assert answer.status_code == 429
    assert "Not sent." in answer.content.decode()
    assert "field above" not in answer.content.decode()


def test_it_waits_for_the_verification(client, course):
    assert TITLE not in client.get("/").content.decode()
    verify_exercises()
    assert TITLE in client.get("/").content.decode()


def test_a_refused_exercise_hides_it(client, verified):
    ExerciseVersion.objects.filter(exercise__slug=EXERCISE).update(verification="refused")
    assert TITLE not in client.get("/").content.decode()


def test_a_course_without_the_exercise_hides_it(client, verified):
    for exercise in Exercise.objects.filter(slug=EXERCISE):
        exercise.delete()
    assert client.get("/").status_code == 200
    assert TITLE not in client.get("/").content.decode()


def test_a_home_of_another_subject_hides_it(client, verified):
    making.ready_exercise(course="hash-tables")
    some_course("hash-tables").make_home()
    assert TITLE not in client.get("/").content.decode()


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.both_databases(postgresql="soak")
def test_verdict_comes_in_place(site, page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(site.url)
    press_until_focused(page, "#slip button")
    page.keyboard.press("Enter")
    verdict = page.locator("#verdict [data-verdict=known_mistake]")
    expect(verdict).to_be_visible(timeout=GRADING_MS)
    expect(verdict).to_contain_text("an exponent of its own")
    expect(verdict.locator("img")).to_have_count(3)
    expect(page.locator("#verdict-status")).to_contain_text("an exponent of its own")
    assert page.url == f"{site.url}/"
    for selector in ("#slip pre", "#slip button"):
        expect(page.locator(selector).first).to_be_in_viewport()
    assert (serious_findings(page), sideways_scroll(page)) == ([], 0)
    page.set_viewport_size({"width": 390, "height": 844})
    assert (serious_findings(page), sideways_scroll(page)) == ([], 0)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("link", name="Repair it yourself").click()
    expect(page.locator(".cm-content")).to_contain_text("(col / d)")


@pytest.mark.browser
@pytest.mark.parametrize("failure", [None, pytest.param(403, marks=pytest.mark.soak), 500])
def test_failure_speaks_of_no_own_code(live_server, verified, page, page_errors, failure):
    page_errors.allow("Failed to load|sendError|Response Status Error")
    page.goto(live_server.url)
    page.route(
        live_server.url + at(f"/exercises/{EXERCISE}/"),
        lambda route: route.abort() if failure is None else route.fulfill(status=failure),
    )
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("#verdict .notice")).to_contain_text("Not sent: ")
    expect(page.locator("#verdict .notice")).to_contain_text("ry again")
    expect(page.locator("#verdict")).not_to_contain_text("our code")


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.both_databases(postgresql="soak")
def test_own_draft_is_asked_about(site, page):
    exercise = site.url + at(f"/exercises/{EXERCISE}/")
    page.goto(exercise)
    page.get_by_label("Plain text field").check()
    page.get_by_label("Your code").fill("mine = 1")
    expect(page.locator("#draft-state")).to_have_text("Draft saved.")
    page.goto(site.url)
    page.get_by_role("button", name="Check it").click()
    page.get_by_role("link", name="Repair it yourself").click(timeout=GRADING_MS)
    page.get_by_role("button", name="Use my draft").click()
    expect(page.locator("#id_code")).to_have_value("mine = 1")
