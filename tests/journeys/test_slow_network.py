"""Pages over a slow line: usable before their scripts have come, and nothing given then is lost."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import HeldScripts
from tests.courses import at
from tests.teaching.browsing import begin, new_slug, sign_in
from tests.teaching.forms import teach
from tests.whole_site import Site

pytestmark = pytest.mark.slow

STEP = at("/learn/sinusoidal-values/seeing-it/")
LINE = {"offline": False, "latency": 200, "downloadThroughput": 150_000, "uploadThroughput": 50_000}
PRESSES = 12
QUIZ = at("/quiz/test-your-understanding/")
EXERCISE = at("/exercises/sinusoidal-table/")


def slow(page: Page) -> None:
    """Give the page's network 0.2 s of delay and 150 KB/s, as a phone on the road has."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)


@pytest.mark.soak
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
    """Also over an older choice of the same question that waited in the browser."""
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempt/**")
    options = page.locator("fieldset.question").nth(7).locator("input[type=radio]")
    name, value = (options.first.get_attribute(one) for one in ("name", "value"))
    key = f"ordinal:attempt:{page.locator('#attempt').get_attribute('data-attempt')}:{name}"
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, value])
    scripts = HeldScripts(page)
    page.reload(wait_until="commit")
    options.nth(2).check()
    scripts.release()
    expect(page.locator("#saved-state")).to_have_text("saved")
    expect(page.locator("#answered")).to_have_text("1 of 8 answered")
    page.reload()
    expect(options.nth(2)).to_be_checked()


FIELDS = """
<input type=text value=a><input type=checkbox><input type=checkbox checked><textarea>a</textarea>
<input type=radio name=r><input type=radio name=r checked><input type=hidden value=a>
<select><option>a<option>b</select><select><option>a<option selected>b</select><select></select>
<button value=a></button>
"""
USE = """
(field) => {
  if (field.matches("[type=radio], [type=checkbox]")) field.checked = !field.defaultChecked;
  else if (field.matches("select")) field.selectedIndex = 1 - field.selectedIndex;
  else field.value = "b";
}
"""
USED = f"""
async (isToUse) => {{
  const {{ isUsed }} = await import("/static/site/early.js");
  const place = document.createElement("form");
  place.innerHTML = `{FIELDS}`;
  document.body.append(place);
  const fields = [...place.elements];
  if (isToUse) fields.forEach({USE});
  const found = fields.map(isUsed);
  place.remove();
  return found;
}}
"""


def test_a_field_is_used_when_it_holds_something_else_than_at_first(site, page):
    page.goto(f"{site.url}/accounts/login/")
    assert page.evaluate(USED, False) == [False] * 11
    can_be_used = [True] * 6 + [False] + [True] * 2 + [False] * 2
    assert page.evaluate(USED, True) == can_be_used


def test_code_typed_before_the_scripts_came_is_kept(site, page):
    open_and_type(page, site)
    expect(page.locator("#draft-state")).to_have_text("Draft saved.")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("#id_code")).to_have_value("typed = 'early'")


DRAFT = "ordinal:code::positional-encodings/sinusoidal-table"


def keep_in_browser(page: Page, site: Site, **texts: str) -> None:
    """Store texts as drafts that the site never got: `main`, and `asked` of a tab that asks."""
    at_noon = 1_790_000_000_000  # ms
    page.goto(f"{site.url}/accounts/login/")
    for place, code in texts.items():
        key = DRAFT if place == "main" else f"{DRAFT}:asked"
        record = json.dumps({"code": code, "token": "", "synced": False, "savedAt": at_noon})
        page.evaluate("([key, record]) => localStorage.setItem(key, record)", [key, record])


def open_and_type(page: Page, site: Site) -> None:
    """Type into the field of the exercise before its scripts come."""
    scripts = HeldScripts(page)
    page.goto(site.url + EXERCISE, wait_until="commit")
    page.locator("#id_code").fill("typed = 'early'")
    scripts.release()


@pytest.mark.parametrize("place", ["main", pytest.param("asked", marks=pytest.mark.soak)])
def test_code_typed_early_does_not_take_the_place_of_a_draft(site, page, place):
    keep_in_browser(page, site, **{place: "written = 'offline'"})
    open_and_type(page, site)
    question, code = page.locator("#draft-question"), page.locator("#id_code")
    expect(question).to_be_visible()
    expect(code).to_have_value("typed = 'early'")
    page.reload()  # without an answer, both are still there
    expect(question).to_be_visible()
    expect(code).to_have_value("typed = 'early'")
    question.get_by_role("button", name="Use the other version").click()
    expect(code).to_have_value("written = 'offline'")
    expect(page.locator("#draft-state")).to_have_text("Draft saved.")


@pytest.mark.soak
def test_code_that_was_refused_does_not_give_way_to_a_draft(site, page, page_errors):
    page_errors.allow("status of 400")
    keep_in_browser(page, site, main="written = 'offline'")
    scripts = HeldScripts(page)
    page.goto(site.url + EXERCISE, wait_until="commit")
    page.locator("#id_code").fill("# " + 30_000 * "e")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#code-error-1")).to_be_visible()
    scripts.release()
    expect(page.locator("#draft-question")).to_be_visible()
    expect(page.locator("#id_code")).to_have_value(re.compile("^# e+$"))


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
    page.get_by_role("button", name="Restore it").click()
    expect(page.get_by_label("Title")).to_have_value("Typed early")


@pytest.mark.soak
def test_an_encoding_can_be_compared_before_scripts_came(site, page):
    scripts = HeldScripts(page)
    page.goto(f"{site.url}/explore/?enc=sinusoidal/heatmap", wait_until="commit")
    page.get_by_role("link", name="Compare ALiBi").click()
    expect(page).to_have_url(re.compile("enc=alibi/penalties"))
    scripts.release()
