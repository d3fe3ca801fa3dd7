"""The workbench in Chromium: panes, tabs, marked lines, results of earlier code, listings."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from quizzes.exercises.models import Draft
from quizzes.exercises.queue import leases
from quizzes.grader.judge.report import KnownMistake, Report, ReportedFinding, Stage, Verdict
from tests.exercises import making

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
CODE = "def helper(x):\n    return x[99]\n\ndef sinusoidal_table(n, d):\n    return helper([])"
STOPPED = Report(
    Verdict.WRONG,
    first_fault=ReportedFinding(Stage.RETURNED, "one position", "It raised IndexError."),
    traceback='  File "submission.py", line 5, in sinusoidal_table\n    return helper([])\n'
    '  File "submission.py", line 2, in helper\n    return x[99]\nIndexError: out of range',
)


def send(page: Page, report: Report, code: str = CODE) -> None:
    """Submit the code; its verdict comes as a worker would give it."""
    put(page, code)
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict [data-ask]").wait_for(state="attached")
    leases.record(lease=making.lease(), report=report)
    page.locator("#verdict [data-verdict]").wait_for(state="attached", timeout=15_000)


def put(page: Page, code: str) -> None:
    setting = (
        "(c, text) => { c.value = text; c.dispatchEvent(new Event('input', {bubbles: true})) }"
    )
    page.locator("#id_code").evaluate(setting, code)


def top(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"]


def test_a_result_is_in_sight_and_marks_lines_until_the_code_is_edited(new_page, address):
    page = new_page(viewport={"width": 1200, "height": 700})
    page.goto(address)
    page.locator(".cm-content").wait_for()
    send(page, STOPPED)
    for selector in ("#task", "#editor", "#verdict-heading"):
        expect(page.locator(selector)).to_be_in_viewport()
    before = top(page, "#editor")
    page.locator("#result").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    assert page.locator("#result").evaluate("pane => pane.scrollTop") > 100
    assert top(page, "#editor") == before
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(page.locator(".cm-lint-marker-info")).to_have_count(1)
    assert abs(top(page, ".cm-lint-marker-error") - top(page, ".cm-line:nth-child(2)")) < 8
    expect(page.locator("#verdict-stale")).to_be_empty()
    page.get_by_role("link", name="Jump to line 2").click()
    page.keyboard.type("#")
    assert page.input_value("#id_code").splitlines()[1].startswith("#")
    expect(page.locator(".cm-lint-marker")).to_have_count(0)
    expect(page.locator("#verdict-stale")).to_have_text(
        "This result is for an earlier version of your code."
    )
    page.keyboard.press("ControlOrMeta+Z")
    expect(page.locator("#verdict-stale")).to_be_empty()
    # A verdict of code that was edited meanwhile marks nothing.
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict [data-ask]").wait_for()
    put(page, "# above\n" + CODE)
    leases.record(lease=making.lease(), report=STOPPED)
    page.locator("#verdict [data-verdict]").wait_for(timeout=15_000)
    expect(page.locator("#verdict-stale")).to_contain_text("earlier version")
    expect(page.locator(".cm-lint-marker")).to_have_count(0)


def test_result_leaves_twelve_lines_of_code(new_page, address):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.locator(".cm-content").wait_for()
    send(page, STOPPED, "# A line.\n" * 30 + CODE)
    high = page.locator(".cm-scroller").evaluate("one => one.clientHeight")
    assert high >= 12 * page.locator(".cm-line").first.evaluate("one => one.offsetHeight")
    expect(page.locator("#verdict-heading")).to_be_in_viewport()
    assert page.locator("#result").evaluate("pane => pane.clientHeight") >= 280


def test_wide_result_has_a_column_from_the_start(new_page, address):
    page = new_page(viewport={"width": 1696, "height": 900})
    page.goto(address)
    page.locator(".cm-content").wait_for()
    measure = """() => ["#task", "#work", "#result"].map(name => document.querySelector(name)).map(
        pane => [pane.offsetLeft, pane.offsetTop, pane.offsetWidth, pane.offsetHeight])"""
    before = page.evaluate(measure)
    send(page, STOPPED)
    assert page.evaluate(measure) == before
    task, work, result = before
    assert task[0] + task[2] < work[0] < work[0] + work[2] < result[0]
    assert min(task[2], result[2]) >= 380
    assert task[1::2] == work[1::2] == result[1::2]  # tops and heights


def test_viewer_learns_why_nothing_is_sent(new_page, address, page_errors):
    """The middleware refuses what staff send while they view as a student."""
    page_errors.allow("403")
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.evaluate("document.body.insertAdjacentHTML('afterbegin', '<p class=view-as>Viewing</p>')")
    page.route(address, lambda route: route.fulfill(status=403))
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#verdict")).to_contain_text("while you view as a student")


def test_marked_line_is_in_sight(new_page, address):
    page = new_page(viewport={"width": 1200, "height": 700})
    page.goto(address)
    page.locator(".cm-content").wait_for()
    above = "# Lines that hide it.\n" * 30
    send(
        page,
        replace(STOPPED, traceback=STOPPED.traceback.replace("line 2", "line 32")),
        above + CODE,
    )
    expect(page.locator(".cm-lint-marker-error")).to_be_in_viewport()


@pytest.mark.soak
def test_a_phone_has_tabs_a_result_opens_its_own_and_paper_has_all(new_page, address):
    page = new_page(viewport=PHONE)
    page.goto(address)
    expect(page.get_by_role("tab", name="Task")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    page.get_by_role("tab", name="Task").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Code")).to_be_focused()
    expect(page.get_by_label("Your code")).to_be_visible()
    send(page, STOPPED)
    expect(page.get_by_role("tab", name="Result")).to_be_focused()
    expect(page.locator("#verdict-heading")).to_be_in_viewport()
    expect(page.locator("#verdict-status")).not_to_be_empty()
    page.get_by_role("link", name="Jump to line 2").click()
    expect(page.get_by_role("tab", name="Code")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".cm-content")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("tab", name="Task").click()
    put(page, "# the first line\n" + "x = 1\n" * 60 + "# the last line\n")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    paper = page.locator("#code-on-paper")
    expect(paper).to_contain_text("# the first line")
    expect(paper).to_contain_text("# the last line")
    assert paper.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    expect(page.locator("#task")).to_be_visible()
    for gone in ("#id_code", "#editor", ".bench > .bench__tabs"):
        expect(page.locator(gone)).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(paper).to_be_hidden()


@pytest.mark.soak
def test_a_huge_paste_is_refused_and_a_draft_that_is_too_long_is_said_to_be(page, address):
    page.goto(address)
    page.locator(".cm-content").click()
    before = page.input_value("#id_code")
    page.locator(".cm-content").evaluate(
        """field => {
          const data = new DataTransfer();
          data.setData("text/plain", "x".repeat(1_000_000));
          const event = { clipboardData: data, bubbles: true, cancelable: true };
          field.dispatchEvent(new ClipboardEvent("paste", event));
        }"""
    )
    expect(page.locator("#code-note")).to_contain_text("Nothing was pasted")
    assert page.input_value("#id_code") == before
    put(page, "#" * 20_001)
    expect(page.locator("#draft-state")).to_contain_text("It is too long", timeout=15_000)


@pytest.mark.soak
def test_a_listing_is_offered_and_takes_no_drafts_place_unasked(page, address):
    page.goto(address)
    page.locator(".cm-content").wait_for()
    put(page, "mine = 1")
    expect(page.locator("#draft-state")).to_have_text("Draft saved.", timeout=15_000)
    scratch = """text => sessionStorage.setItem("ordinal:scratch", JSON.stringify(
        {path: location.pathname, title: "Two rows", code: text}))"""
    page.evaluate(scratch, "listing = 1\n")
    page.goto(f"{address}?again#id_code")
    expect(page.locator("#draft-question")).to_contain_text("You opened the listing “Two rows”.")
    assert page.input_value("#id_code") == "mine = 1"
    assert Draft.objects.get().code == "mine = 1"
    page.get_by_role("button", name="Use the listing").click()
    assert page.input_value("#id_code") == "listing = 1\n"
    page.get_by_role("button", name="Undo").click()
    assert page.input_value("#id_code") == "mine = 1"


MISTAKE = Report(
    Verdict.KNOWN_MISTAKE,
    known_mistake=KnownMistake(
        "swap", "mistake", "Sines first.", "sinusoidal-values/code-it", "3b. The cosine."
    ),
)


def test_quoted_clause_is_lit_in_the_task(new_page, address):
    page = new_page(viewport={"width": 1200, "height": 700})
    page.goto(address)
    page.locator("#task").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    send(page, MISTAKE)
    lit = page.locator("#task .clause--lit")
    expect(lit).to_have_text("(b) column 2i+1 the cosine.")
    expect(lit).to_be_in_viewport()
    page.get_by_role("link", name="Show it in the task").click()
    expect(lit).to_be_focused()
    # Of a newer text than the page's, the link leads on.
    page.locator("#clause-3b").evaluate("clause => clause.append(' And more.')")
    page.get_by_role("link", name="Show it in the task").click()
    expect(page).to_have_url(f"{address}#clause-3b")
    send(page, STOPPED)
    expect(lit).to_have_count(0)


def test_clause_is_shown_on_a_phone(new_page, address):
    page = new_page(viewport=PHONE)
    page.goto(address)
    page.get_by_role("tab", name="Code").click()
    send(page, MISTAKE)
    page.get_by_role("link", name="Show it in the task").click()
    expect(page.get_by_role("tab", name="Task")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#clause-3b")).to_be_in_viewport()
    # From the submission's own page, the address leads there.
    page.goto(f"{address}#clause-3b")
    page.reload()
    expect(page.locator("#clause-3b")).to_be_in_viewport()


STEP = """<title>A step</title><h1>How columns alternate</h1>
<div class="step__body"><p class="notice">Due soon</p><div class="screens">
<section class="screen screen--beside"><div class="prose"><p>Sine, cosine.</p></div></section>
<section class="screen"><section class="inline-question">Which?</section></section>
</div></div>"""


def test_explanation_opens_next_to_the_code(new_page, address):
    page = new_page(viewport={"width": 1200, "height": 700})
    page.route("**/learn/**", lambda route: route.fulfill(body=STEP, content_type="text/html"))
    page.goto(address)
    send(page, MISTAKE)
    page.locator("#task").evaluate("pane => pane.scrollTo(0, 90)")
    before = top(page, "#clause-3b")
    page.get_by_role("link", name="Read the step that explains it").click()
    explanation = page.get_by_role("tabpanel", name="Explanation")
    expect(explanation).to_contain_text("Sine, cosine.")
    for away in ("Due soon", "Which?"):
        expect(explanation).not_to_contain_text(away)
    step = explanation.get_by_role("link", name="Open the step")
    assert "/learn/sinusoidal-values/code-it/" in step.get_attribute("href")
    assert page.input_value("#id_code") == CODE
    expect(page.get_by_role("tab", name="Explanation")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Task")).to_be_focused()
    expect(explanation).to_be_hidden()
    assert abs(top(page, "#clause-3b") - before) < 2  # where its reader left it
    page.locator("#task").evaluate("pane => pane.scrollTo(0, 0)")
    page.get_by_role("tab", name="Explanation").click()
    page.locator(".explanation__body").evaluate("body => { body.style.paddingTop = '1500px' }")
    page.locator("#task").evaluate("pane => pane.scrollTo(0, 300)")
    send(page, MISTAKE)
    assert page.locator("#task").evaluate("pane => pane.scrollTop") == 300
    page.get_by_role("tab", name="Task").click()
    expect(page.locator("#clause-3b")).to_be_in_viewport()
    page.get_by_role("tab", name="Explanation").click()
    page.emulate_media(media="print")
    expect(page.locator("#statement")).to_be_visible()
    page.emulate_media(media="screen")
    page.get_by_role("link", name="Show it in the task").click()
    expect(page.locator("#clause-3b")).to_be_focused()


def test_lost_explanation_still_leads_to_its_step(new_page, address, page_errors):
    page_errors.allow("ERR_FAILED")
    page_errors.allow("Failed to fetch")
    page = new_page(viewport=PHONE)
    page.route("**/learn/**", lambda route: route.abort())
    page.goto(address)
    page.get_by_role("tab", name="Code").click()
    send(page, MISTAKE)
    page.get_by_role("link", name="Read the step that explains it").click()
    explanation = page.get_by_role("tabpanel", name="Explanation")
    expect(explanation).to_contain_text("The step could not be loaded.")
    expect(explanation.get_by_role("link", name="Open the step")).to_be_visible()
