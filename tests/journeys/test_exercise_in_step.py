"""An exercise in its lesson step, by keys: opened in place, one draft with its own page, solved."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.accessible import findings
from tests.browser import PageErrors, press_until_focused, sideways_scroll
from tests.courses import at
from tests.journeys.test_student import RIGHT, SWAPPED
from tests.site.test_in_browser import sent_sizes
from tests.whole_site import Site

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.browser]

STEP = at("/learn/sinusoidal-values/code-it/")
EXERCISE = at("/exercises/sinusoidal-table/")
VERB = ".exercise-card a[data-closed]"
WORKBENCH = re.compile(r"codemirror|htmx-2|css/exercises|/exercises/(?!in_step)")
GRADING_MS = 90_000
MOST_REQUESTS, MOST_BYTES = 18, 210_000  # CodeMirror is 145 000 of them


def open_by_keys(page: Page, address: str) -> None:
    page.goto(f"{address}#4")
    press_until_focused(page, VERB, most=120)
    expect(page.locator(VERB)).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(page.locator(".step #bench")).to_be_visible()
    expect(page.locator(VERB)).to_have_attribute("aria-expanded", "true")


def write(page: Page, code: str) -> None:
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text(code)
    expect(page.locator("#draft-state")).to_have_text("Draft saved.")


def test_exercise_is_solved_in_its_step(site: Site, page: Page) -> None:
    """A wrong Check is named, a reload and the exercise's page have the draft, Submit is right."""
    open_by_keys(page, site.url + STEP)
    expect(page.locator("[data-workbench]")).to_be_focused()
    press_until_focused(page, ".cm-content")
    write(page, SWAPPED)
    page.keyboard.press("Control+Enter")
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("known mistake", timeout=GRADING_MS)
    assert page.url == f"{site.url}{STEP}#4"
    assert findings(page) == []
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text("np.sin(angles), np.cos(angles)")
    own = page.context.new_page()
    own.goto(site.url + EXERCISE)
    expect(own.locator(".cm-content")).to_contain_text("np.sin(angles), np.cos(angles)")
    own.locator(".cm-content").focus()
    write(own, RIGHT)
    expect(page.locator(".cm-content")).to_contain_text("np.cos(angles), np.sin(angles)")
    own.close()
    press_until_focused(page, ".step .cm-content", most=160)
    page.keyboard.press("Control+Shift+Enter")
    expect(verdict.locator("[data-verdict=correct]")).to_be_visible(timeout=GRADING_MS)
    onward = verdict.locator(".ending__act a")
    expect(page.locator("#next-thing a")).to_have_attribute("href", onward.get_attribute("href"))
    expect(page.locator("#history table")).to_contain_text("Correct")
    expect(page.locator("#next-thing a")).to_be_hidden()
    page.wait_for_timeout(1200)  # one Check or Run a second
    page.keyboard.press("Alt+Enter")
    expect(verdict.locator("[data-verdict=run]")).to_be_visible(timeout=GRADING_MS)
    expect(onward).to_have_count(0)
    verdict.get_by_role("button", name="Back to the verdict").click()
    expect(verdict.locator("#verdict-heading")).to_be_focused()
    page.wait_for_timeout(1200)
    verdict.get_by_role("button", name="Try it").click()
    result = verdict.locator("#counterexample-result")
    expect(result).to_contain_text("return", timeout=GRADING_MS)
    assert findings(page) == []
    page.get_by_role("button", name="Close the exercise").click()
    expect(onward).to_be_hidden()
    expect(page.locator("#next-thing a")).to_be_visible()
    page.locator(VERB).click()
    expect(page.locator("#next-thing a")).to_be_hidden()
    onward.focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert STEP not in page.url
    page.goto(f"{site.url}{STEP}#4")
    expect(page.locator(VERB)).to_contain_text("Open it again")


def test_phone_opens_and_closes_it(site: Site, new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    open_by_keys(page, site.url + STEP)
    expect(page.get_by_role("tab", name="Task")).to_be_in_viewport()
    page.get_by_role("tab", name="Task").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Your code")).to_be_visible()
    assert (findings(page), sideways_scroll(page)) == ([], 0)
    close = page.get_by_role("button", name="Close the exercise")
    close.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#bench")).to_be_hidden()
    expect(page.locator(VERB)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your code")).to_be_visible()


def test_listing_goes_into_the_editor_of_its_step(site: Site, page: Page) -> None:
    """Of the exercise that stands there: first it opens, then it is open."""
    page.goto(f"{site.url}{STEP}#4")
    opens = page.get_by_role("button", name="Try it in the exercise")
    question = page.locator("#draft-question")
    for place, title in enumerate(("The exponents 2i/d of six columns", "A column times a row")):
        opens.nth(place).click()
        expect(question).to_contain_text(f"You opened the listing “{title}”.")
        page.get_by_role("button", name="Use the listing").click()
    expect(page.locator(".cm-content")).to_contain_text("positions * frequencies")
    assert page.url == f"{site.url}{STEP}#4"


def test_workbench_weighs_nothing_before(site: Site, new_page: Callable[..., Page]) -> None:
    """Until the verb is pressed the step loads one script of it; then it comes once."""
    page = new_page(cold=True)
    page.goto(f"{site.url}{STEP}#4")
    page.wait_for_load_state("networkidle")
    before = sent_sizes(page)
    assert [name for name in before if WORKBENCH.search(name)] == []
    page.locator(VERB).click()
    expect(page.locator(".cm-content")).to_be_visible()
    page.wait_for_load_state("networkidle")
    after = sent_sizes(page)
    assert len(after) - len(before) <= MOST_REQUESTS
    assert sum(after.values()) - sum(before.values()) <= MOST_BYTES


def test_card_leads_on_where_nothing_comes(
    site: Site, new_page: Callable[..., Page], page_errors: PageErrors
) -> None:
    """Without a script, and where the site has no workbench to give, to the exercise's page."""
    page_errors.allow("status of 503")
    page = new_page()
    page.goto(f"{site.url}{STEP}#4")
    page.route(
        f"**{EXERCISE}",
        lambda route: route.fulfill(status=503) if is_script(route) else route.continue_(),
    )
    page.locator(VERB).click()
    page.wait_for_url(f"**{EXERCISE}")
    plain = new_page(java_script_enabled=False)
    plain.goto(site.url + STEP)
    plain.locator(VERB).click()
    expect(plain.get_by_label("Your code")).to_be_visible()


@pytest.mark.parametrize("press", ["Enter", ""], ids=["verb pressed", "verb in focus"])
def test_opening_by_itself_keeps_the_focus(site: Site, page: Page, press: str) -> None:
    """The reader has come to the verb, or pressed it, while the workbench was on its way."""
    open_by_keys(page, site.url + STEP)
    press_until_focused(page, ".cm-content")
    write(page, SWAPPED)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(f"**{EXERCISE}", hold)
    page.goto("about:blank")
    page.goto(f"{site.url}{STEP}#4")
    press_until_focused(page, VERB, most=120)
    assert len(held) == 1
    if press:
        page.keyboard.press(press)
        expect(page.locator(".exercise-card [role=status]")).to_have_text("Opening …")
    held[0].continue_()
    expect(page.locator("[data-workbench]")).to_be_focused()


def test_failed_script_leaves_no_workbench(site: Site, page: Page, page_errors: PageErrors) -> None:
    """A second one would have a form that the scripts of the first do not know."""
    page_errors.allow("ERR_FAILED")
    page.route("**/exercises/shortcuts*.js", lambda route: route.abort())
    page.route(
        f"**{STEP}",
        lambda route: route.abort() if route.request.method == "HEAD" else route.continue_(),
    )
    page.goto(f"{site.url}{STEP}#4")
    page.locator(VERB).click()
    expect(page.get_by_text("Not opened: no connection.")).to_be_visible()
    expect(page.locator("#code-form")).to_have_count(0)
    page.locator(VERB).click()
    page.wait_for_url(f"**{EXERCISE}")


def test_closed_card_knows_the_draft(site: Site, page: Page) -> None:
    open_by_keys(page, site.url + STEP)
    press_until_focused(page, ".cm-content")
    write(page, SWAPPED)
    page.get_by_role("button", name="Close the exercise").click()
    expect(page.locator(VERB)).to_contain_text("Continue")
    expect(page.locator(".exercise-card .badge")).to_have_text("Begun")
    expect(page.locator(VERB)).to_be_focused()


def is_script(route: Route) -> bool:
    """Return whether a script asked, and not the browser for a page to show."""
    return bool(route.request.resource_type == "fetch")


def test_listing_runs_without_scripts(site: Site, new_page: Callable[..., Page]) -> None:
    page = new_page(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page.goto(site.url + STEP)
    page.get_by_role("button", name="Run", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Run")
    for _ in range(60):
        if page.get_by_text("the same output as in the step").count():
            break
        page.wait_for_timeout(1000)
        page.reload()
    expect(page.get_by_text("the same output as in the step")).to_be_visible()
    assert page.get_by_label("The code").input_value().startswith("import numpy as np")
