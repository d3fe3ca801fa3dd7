"""Pages over a slow line: usable before their scripts have come, and nothing given then is lost."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.courses import at
from tests.teaching.browsing import begin, new_slug, sign_in
from tests.teaching.forms import teach

pytestmark = pytest.mark.slow

STEP = at("/learn/sinusoidal-values/seeing-it/")
LINE = {"offline": False, "latency": 200, "downloadThroughput": 150_000, "uploadThroughput": 50_000}
PRESSES = 12
QUIZ = at("/quiz/test-your-understanding/")
EXERCISE = at("/exercises/sinusoidal-table/")


class HeldScripts:
    """Scripts that a page asks for and does not get before `release`."""

    def __init__(self, page: Page) -> None:
        self.routes: list[Route] | None = []
        page.route("**/static/**/*.js", self._hold)

    def _hold(self, route: Route) -> None:
        if self.routes is None:
            route.continue_()
        else:
            self.routes.append(route)

    def release(self) -> None:
        routes, self.routes = self.routes, None
        assert routes, "the page asked for no script"
        for route in routes:
            route.continue_()


def slow(page: Page) -> None:
    """Give the page's network 0.2 s of delay and 150 KB/s, as a phone on the road has."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)


def test_a_lesson_is_read_answered_and_moved_over_a_slow_line(site, new_page):
    page = new_page(cold=True)
    slow(page)
    page.goto(site.url + STEP, wait_until="commit")
    expect(page.get_by_role("heading", level=1)).to_have_text("Seeing it")
    picture = page.locator("#figure-codes img")
    expect(picture).to_be_visible()  # it came with the page

    card = page.locator(".inline-question").first
    page.wait_for_load_state("domcontentloaded")
    page.evaluate("window.stillHere = true")
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="Answer").click()  # what sends it has not arrived yet
    expect(page.locator(".inline-question").first).to_contain_text("Your answer")
    assert page.evaluate("window.stillHere")

    asked = []
    page.on("request", lambda one: asked.append(one.url) if "heatmap.json" in one.url else None)
    slider = page.locator("#figure-codes").get_by_role("slider", name="d_model")
    slider.focus()
    for _ in range(PRESSES):
        slider.press("ArrowRight")
    number = page.locator("#figure-codes .slider__value").first
    assert number.inner_text() == str(50 + PRESSES), "it waits for the picture"
    title = page.locator("#figure-codes [data-part=subtitle]")
    expect(title).to_contain_text(f"{50 + PRESSES} dimensions")
    assert len(asked) < PRESSES, "a value that was passed over was asked for"


def test_answers_given_before_the_scripts_came_are_saved(site, page):
    page.goto(site.url + QUIZ)
    scripts = HeldScripts(page)
    page.get_by_role("button", name="Start").click()
    question = page.locator("fieldset.question").nth(7)
    question.locator("input[type=radio]").nth(2).check()
    scripts.release()
    expect(page.locator("#saved-state")).to_have_text("saved")
    expect(page.locator("#answered")).to_have_text("1 of 8 answered")
    page.reload()
    expect(question.locator("input[type=radio]").nth(2)).to_be_checked()


def test_code_typed_before_the_scripts_came_is_kept(site, page):
    scripts = HeldScripts(page)
    page.goto(site.url + EXERCISE, wait_until="commit")
    page.locator("#id_code").fill("typed = 'early'")
    scripts.release()
    expect(page.locator("#draft-state")).to_have_text("Draft saved.")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("#id_code")).to_have_value("typed = 'early'")


def test_code_typed_early_does_not_take_the_place_of_a_draft(site, page, page_errors):
    page_errors.allow("ERR_INTERNET_DISCONNECTED")
    page.goto(site.url + EXERCISE)
    page.get_by_label("Plain text field").check()
    page.context.set_offline(True)
    page.locator("#id_code").fill("written = 'offline'")
    expect(page.locator("#draft-state")).to_contain_text("kept in this browser")
    page.goto("about:blank")
    page.context.set_offline(False)
    scripts = HeldScripts(page)
    page.goto(site.url + EXERCISE, wait_until="commit")
    page.locator("#id_code").fill("typed = 'early'")
    scripts.release()
    question = page.locator("#draft-question")
    expect(question).to_contain_text("Which version do you want to keep?")
    expect(page.locator("#id_code")).to_have_value("typed = 'early'")
    question.get_by_role("button", name="Take the other one").click()
    expect(page.locator("#id_code")).to_have_value("written = 'offline'")
    expect(page.locator("#draft-state")).to_have_text("Draft saved.")


def test_an_instructor_is_warned_about_what_was_typed_before_the_scripts_came(site, page):
    slug = new_slug("early")
    begin(sign_in(site, page), site.url + teach("quizzes/"), slug)
    scripts = HeldScripts(page)
    page.goto(page.url, wait_until="commit")
    page.get_by_label("Title").press_sequentially("Typed early")
    scripts.release()
    page.wait_for_load_state()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    assert asked == ["beforeunload"]
    page.get_by_role("button", name="Put it into the form").click()
    expect(page.get_by_label("Title")).to_have_value("Typed early")


def test_a_picture_chosen_before_the_scripts_came_can_still_be_shown(site, page):
    scripts = HeldScripts(page)
    page.goto(f"{site.url}/explore/?enc=sinusoidal/heatmap", wait_until="commit")
    menu = page.locator("[data-explore] select").first
    menu.select_option("alibi/slopes")
    scripts.release()
    page.wait_for_load_state()
    page.locator("[data-show]").click()
    expect(page).to_have_url(re.compile("enc=alibi/slopes"))
