"""X-rays in Chromium: a card by keys, by pointer and in the plain field, until code is edited."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from quizzes.exercises.models import CodeRun, ExerciseVersion
from quizzes.exercises.queue import leases
from quizzes.exercises.xray import views
from quizzes.grader.judge.report import CaseResult, Report, Verdict
from quizzes.grader.programs import Difference, Expression, PlaceValue, XRay
from quizzes.grader.programs.xray import ExpressionPicture
from tests.accessible import AXE_SCRIPT, findings
from tests.exercises import making
from tests.exercises.test_workbench import PHONE, put

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CODE = "é = '𝔸'; y = f(x + 1)\nreturn y"
PICTURE = ExpressionPicture(1, 3, "AH//")
INNER = Expression(
    [(1, 16, 1, 21)], "x + 1", 3, "last", "an array of shape (3,), float64", "[-2., 0., nan]"
)
OUTER = Expression(
    [(1, 14, 1, 22), (1, 10, 1, 11)],
    "f(x + 1)",
    1,
    "",
    "a tensor of shape (1, 3), float32",
    "[[-2., 0., nan]]",
    "From -2 to 0.",
    picture=PICTURE,
    known=True,
)
PIXELS = "(canvas => [...canvas.getContext('2d').getImageData(0, 0, 3, 1).data])"
MINE = PlaceValue("an array of shape (3,), float64", "[-2., 0., nan]", "", PICTURE)
XRAY = XRay(call="f(1)", expressions=(OUTER, INNER), compared=True)


@pytest.fixture(autouse=True)
def verified(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exercise whose solution the learner may see."""
    outline = {"shown": ["f(1)", "f(2)"], "hidden": 1}
    ExerciseVersion.objects.update(outline=outline, verification="ok")
    monkeypatch.setattr(views, "may_compare", lambda **_: True)


def look_inside(page: Page, xray: XRay = XRAY) -> None:
    put(page, CODE)
    page.get_by_label("Call").fill("f(1)")
    page.get_by_role("button", name="X-ray", exact=True).click()
    page.locator("#verdict [data-ask]").wait_for(state="attached")
    leases.record_run(lease=making.lease(), outcome=xray)
    page.locator("#verdict [data-verdict]").wait_for(state="attached", timeout=15_000)


def test_cursor_shows_what_an_expression_was(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".cm-content").wait_for()
    look_inside(page)
    expect(page.locator(".cm-content .xray-known")).to_have_text(["y", "f(x + 1)"])
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+Home")
    card = page.get_by_label("X-ray of the expression at the cursor")
    expect(card).to_contain_text("Point at an expression")
    for _ in range(18):
        page.keyboard.press("ArrowRight")
    expect(card).to_contain_text("x + 1")
    expect(card).to_contain_text("An array of shape (3,), float64. Ran 3 times.")
    expect(card).to_contain_text("This is its last value.")
    expect(card).not_to_contain_text("right solution")
    expect(card.get_by_role("status")).to_have_text("x + 1: an array of shape (3,), float64")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(card).to_contain_text("A tensor of shape (1, 3), float32. Ran once.")
    expect(card).to_contain_text("A right solution has this value too, maybe in another place.")
    expect(card.locator("canvas")).to_be_visible()
    canvas = "document.querySelector('.xray-panel canvas')"
    page.wait_for_function(f"() => {PIXELS}({canvas})[3] === 255")
    pixels = card.locator("canvas").evaluate(PIXELS)
    assert pixels[8:] == [170, 170, 170, 255]  # what is not finite
    assert pixels[:3] != pixels[4:7]
    page.evaluate(AXE_SCRIPT)
    assert findings(page) == []
    page.keyboard.type("g")
    expect(card).to_be_hidden()
    expect(page.locator(".xray-known").locator("visible=true")).to_have_count(1)  # of the words


def test_place_is_marked_until_code_is_edited(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".cm-content").wait_for()
    place = Difference((1, 16, 1, 21), "x + 1", "x", 1, MINE, MINE)
    look_inside(page, replace(XRAY, first_difference=place))
    marked = page.locator(".cm-content .xray-place")
    expect(marked).to_have_text("x + 1")
    expect(page.locator(".cm-lint-marker-info")).to_have_count(1)
    expect(page.locator("#verdict .xray__place")).to_contain_text("occurs in none that we know")
    marked.hover()
    card = page.locator(".cm-tooltip .xray-card")
    expect(card).to_contain_text("This occurs in no right solution that we know.")
    expect(card).not_to_contain_text("The reference computes")  # before a graded try
    page.evaluate(AXE_SCRIPT)
    assert findings(page) == []
    page.locator(".cm-content").focus()
    page.keyboard.type("g")
    expect(marked).to_have_count(0)


def test_reference_is_drawn_next_to_a_place(
    page: Page, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the result, and in the card of the expression."""
    monkeypatch.setattr(views, "shows_reference_numbers", lambda *_, **__: True)
    page.goto(address)
    page.locator(".cm-content").wait_for()
    right = replace(MINE, numbers="[4., 0., 1.]")
    place = Difference((1, 16, 1, 21), "x + 1", "x", 1, MINE, right)
    look_inside(page, replace(XRAY, first_difference=place))
    expect(page.locator("#verdict .xray__both canvas")).to_have_count(2)
    expect(page.locator("#verdict .xray__both")).to_contain_text("[4., 0., 1.]")
    page.locator(".cm-content .xray-place").hover()
    card = page.locator(".cm-tooltip .xray-card")
    expect(card).to_contain_text("The reference computes this with the same value:")
    expect(card).to_contain_text("[4., 0., 1.]")
    expect(card.locator("canvas")).to_have_count(1)
    page.evaluate(AXE_SCRIPT)
    assert findings(page) == []


def test_pointer_shows_what_an_expression_was(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".cm-content").wait_for()
    look_inside(page)
    page.locator(".cm-content .xray-known").last.hover()
    expect(page.locator(".cm-tooltip .xray-card")).to_be_visible()


def test_plain_field_has_the_card_below(new_page, address: str) -> None:  # type: ignore[no-untyped-def]
    page = new_page(viewport=PHONE)
    page.goto(address)
    page.get_by_role("tab", name="Code").click()
    page.get_by_label("Plain text field").check()
    look_inside(page)
    page.get_by_role("link", name="Jump to the code").click()
    page.locator("#id_code").evaluate("field => field.setSelectionRange(18, 18)")
    card = page.locator(".code-form__field .xray-card")
    expect(card).to_contain_text("x + 1")
    expect(card).to_be_in_viewport()


def test_failed_check_is_looked_into(page: Page, address: str) -> None:
    """By the button of its case; the next X-ray is of the call again."""
    page.goto(address)
    page.locator(".cm-content").wait_for()
    put(page, CODE)
    page.get_by_label("Call").fill("f(1)")
    page.get_by_role("button", name="Check", exact=True).click()
    page.locator("#verdict [data-ask]").wait_for(state="attached")
    cases = (CaseResult("a", True, True), CaseResult("b", True, False))
    report = Report(Verdict.WRONG, cases=cases, cases_passed=1, cases_total=2)
    leases.record(lease=making.lease(), report=report)
    page.get_by_role("button", name="X-ray of shown case 2").click(timeout=15_000)
    page.locator("#verdict [data-ask]").wait_for(state="attached")
    run = CodeRun.objects.get()
    assert (run.shown_case, run.call) == (1, "")
    leases.record_run(lease=making.lease(), outcome=XRAY)
    expect(page.locator(".cm-content .xray-known").first).to_be_visible(timeout=15_000)
    button = page.get_by_role("button", name="X-ray", exact=True)
    expect(button).to_have_attribute("value", "xray")


def test_xray_of_other_code_marks_nothing(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".cm-content").wait_for()
    put(page, CODE)
    page.get_by_label("Call").fill("f(1)")
    page.get_by_role("button", name="X-ray", exact=True).click()
    page.locator("#verdict [data-ask]").wait_for(state="attached")
    put(page, f"# other\n{CODE}")
    leases.record_run(lease=making.lease(), outcome=XRAY)
    page.locator("#verdict [data-verdict]").wait_for(state="attached", timeout=15_000)
    expect(page.locator("#verdict-stale")).to_contain_text("earlier version")
    expect(page.locator(".cm-content .xray-known")).to_have_count(0)
    expect(page.locator("[data-verdict]")).to_have_class(re.compile("xray"))
