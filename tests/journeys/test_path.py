"""The way of a newcomer, counted: clicks and words from the start page to what is done first.

Words are those a reader passes: all visible text of `main` above what is pressed, with lists,
options, captions and tables, without code and formulas. An earlier
form of this course had 1 780 words before its first figure.
"""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.content.lesson_text import lessons
from tests.courses import at

pytestmark = pytest.mark.slow

FIRST_LESSON = "why-order"
SHUFFLE = ".sentence [data-part=shuffle]"
SCREENS = ({"width": 390, "height": 844}, {"width": 1280, "height": 800})
MOST_PAGES = 60
# Up to the top of an element: what is above it is read before it.
WORDS_ABOVE = """(end) => {
  const bottom = end ? end.getBoundingClientRect().top : Infinity;
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  let words = 0;
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (!parentElement.checkVisibility({ visibilityProperty: true })) continue;
    if (parentElement.closest(".visually-hidden, .steps, svg, pre, math, .step__sources")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width && box.top < bottom) words += data.split(/\\s+/).filter(Boolean).length;
  }
  return words;
}"""

# Buttons in sight that are filled with the accent, by their words.
FILLED = """() => {
  const accent = document.createElement("i");
  accent.style.color = "var(--accent)";
  document.body.append(accent);
  const color = getComputedStyle(accent).color;
  accent.remove();
  return [...document.querySelectorAll("main .button")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
    .filter((one) => getComputedStyle(one).backgroundColor === color)
    .map((one) => one.textContent.trim());
}"""


@dataclass
class Way:
    """What a newcomer has clicked and read so far."""

    page: Page
    clicks: int = 0
    words: int = 0  # of pages that were left

    def words_to(self, selector: str) -> int:
        """Return the words up to the first element that is visible, with those of earlier pages."""
        end = self.page.locator(selector).locator("visible=true").first.element_handle()
        return self.words + int(self.page.evaluate(WORDS_ABOVE, end))

    def press(self, selector: str, *, leaves: bool) -> None:
        """Click; with `leaves` wait for the next page, and count the words of this one as read."""
        button = self.page.locator(selector).locator("visible=true").first
        read = int(self.page.evaluate(WORDS_ABOVE, button.element_handle()))
        self.clicks += 1
        if not leaves:
            button.click()
            return
        self.words += read
        with self.page.expect_navigation():
            button.click()

    def go_on(self) -> None:
        """Open the next screen, or where all are open mark the step as read."""
        if self.page.locator(".screens__foot").locator("visible=true").count():
            self.press(".screens__foot button.button", leaves=False)
        else:
            self.press(".step__next button", leaves=True)


@pytest.mark.soak
@pytest.mark.sandbox
def test_the_first_code_of_ones_own_in_the_order_of_the_course(site, page):
    """Lesson 1, then lesson 2 up to its first exercise, and a first line that is graded.

    41 clicks and 4 783 words at 1280 px.
    """
    way = Way(page)
    page.goto(site.url)
    way.press("#word-order button[value=no]", leaves=False)
    way.press("#word-order .word-order__act a", leaves=True)
    for _ in range(MOST_PAGES):
        if "finished=" in page.url:
            break
        way.go_on()
    way.press(".part:not([open]) > summary", leaves=False)
    way.press(f"main h3 a[href='{at('/learn/sinusoidal-values/')}']", leaves=True)
    card = ".exercise-card a[data-closed]"
    for _ in range(MOST_PAGES):
        if page.locator(card).locator("visible=true").count():
            break
        way.go_on()
    way.press(card, leaves=False)
    expect(page.locator(".cm-content")).to_be_visible()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#verdict [data-verdict]")).to_be_visible(timeout=60_000)
    assert way.clicks <= 42
    assert way.words <= 4800


@pytest.mark.covering(most=1)
@pytest.mark.parametrize("window", SCREENS, ids=["phone", "laptop"])
def test_newcomer_answers_and_shuffles_within_two_clicks(site, new_page, window):
    page = new_page(viewport=window)
    way = Way(page)
    page.goto(site.url)
    assert way.words_to("#word-order button[value=no]") <= 60
    expect(page.locator("#word-order button[value=no]")).to_be_in_viewport()
    way.press("#word-order button[value=no]", leaves=False)
    expect(page.locator("#word-order [role=status]").first).to_be_in_viewport()
    assert way.clicks == 1
    assert page.evaluate("scrollY") == 0
    way.press("#word-order .word-order__act a", leaves=True)
    page.wait_for_url(f"**{at(f'/learn/{FIRST_LESSON}/')}**")
    assert way.clicks == 2
    assert way.words_to(f"main {SHUFFLE}") <= 220  # of the start page, too
    rows = page.locator("main .sentence tbody").first
    before = rows.text_content()
    page.locator(f"main {SHUFFLE}").first.click()
    expect(rows).not_to_have_text(before)


@pytest.mark.soak
def test_newcomer_finishes_the_first_lesson(site, page):
    way = Way(page)
    page.goto(site.url)
    way.press("#word-order button[value=no]", leaves=False)
    way.press("#word-order .word-order__act a", leaves=True)
    for _ in range(MOST_PAGES):
        if "finished=" in page.url:
            break
        way.go_on()
    assert f"finished={FIRST_LESSON}" in page.url
    assert way.clicks <= 14  # two of them on the start page
    assert way.words <= 1900  # with those of the start page and of the buttons under each figure
    success = page.locator(".ending")
    expect(success).to_be_in_viewport()
    expect(page.locator("main a.button:not(.button--quiet)")).to_have_count(1)
    expect(success.get_by_role("link", name="Next ·")).to_be_visible()


@pytest.mark.soak
def test_every_place_leads_on(site, page):
    """The same next thing in the header, on the start page and where a lesson ends."""
    page.goto(site.url + at("/learn/learned/"))
    for _ in range(MOST_PAGES):
        if "finished=" in page.url:
            break
        # Without opening its screens: the button is there for a reader without a script, too.
        with page.expect_navigation():
            page.locator(".step__next").evaluate("(form) => form.submit()")
    next_one = page.locator(".ending a.button").get_attribute("href")
    assert page.locator(".site-header__next").get_attribute("href") == next_one
    page.goto(site.url)
    assert page.locator("main a.button").first.get_attribute("href") == next_one


@pytest.mark.soak
def test_by_touch_from_the_start_page_to_the_second_step(site, new_page):
    page = new_page(viewport=SCREENS[0], has_touch=True, is_mobile=True)
    page.goto(site.url)
    page.locator("#word-order button[value=no]").tap()
    page.locator("#word-order .word-order__act a").tap()
    page.wait_for_url(f"**{at(f'/learn/{FIRST_LESSON}/')}**")
    for _ in range(MOST_PAGES):
        if not page.locator(".screens__foot").locator("visible=true").count():
            break
        page.locator(".screens__foot button.button").first.tap()
    question = page.locator("[data-inline-question]").first
    question.locator("label.choice").first.tap()
    question.get_by_role("button", name="Answer").tap()
    expect(page.locator(".inline-question").first).to_contain_text("Your answer")
    with page.expect_navigation():
        page.locator(".step__next button").tap()
    assert page.url.startswith(site.url + at(f"/learn/{FIRST_LESSON}/"))
    expect(page.locator(".steps__step--done")).to_have_count(1)


@pytest.mark.soak
@pytest.mark.parametrize("slug", [FIRST_LESSON, "sinusoidal-values"])
def test_each_screen_has_one_filled_button(site, page, slug):
    (lesson,) = [lesson for lesson in lessons() if lesson.slug == slug]
    for step in lesson.steps_read:
        page.goto(site.url + at(f"/learn/{slug}/{step.slug}/"))
        onward = page.locator(".screens__foot .button", has_text="Continue")
        for number in range(1, 20):
            filled = page.evaluate(FILLED)
            assert len(filled) == 1, f"{step.slug}, screen {number}: {filled}"
            if not onward.is_visible():
                break
            onward.press("Enter")  # under the mouse, it would have another color


def test_prediction_hands_its_fill_on(site, page):
    page.goto(site.url + at(f"/learn/{FIRST_LESSON}/causal-mask/#2"))
    assert page.evaluate(FILLED) == ["See what happens"]
    page.locator(".predict__form input[name=predicted]").first.check()
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".predict__result")).to_be_visible()
    assert page.evaluate(FILLED) == ["Continue"]
