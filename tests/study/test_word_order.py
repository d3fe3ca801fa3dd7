"""The start page's prediction: asked in a few words, answered by the engine, led on from."""

import re

import pytest
from playwright.sync_api import expect

from quizzes.study.word_order import swapped_outputs
from tests.accessible import findings
from tests.browser import each, sideways_scroll

SCREENS = ({"width": 390, "height": 844}, {"width": 1280, "height": 800})
MOST_WORDS = 60
WORDS_ABOVE = """() => {
  const end = document.querySelector('#word-order').getBoundingClientRect().bottom + scrollY;
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  let words = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const isAbove = box.width && box.top + scrollY < end;
    if (isAbove) words += node.data.split(/\\s+/).filter(Boolean).length;
  }
  return words;
}"""


def test_without_positions_no_output_moves_and_with_them_all_do():
    found = swapped_outputs()
    assert [one.word for one in found] == ["the", "man", "chased", "the", "dog"]
    assert {one.plain_change for one in found} == {"0.00"}
    assert all(float(one.coded_change) >= 0.01 for one in found)


@pytest.mark.both_databases
@pytest.mark.parametrize(("answer", "said"), [("no", "Right:"), ("yes", "Not quite:")])
def test_the_form_is_answered_without_javascript(client, course, answer, said):
    assert "Without positions" not in client.get("/").content.decode()
    page = client.get(f"/?notices={answer}").content.decode()
    assert said in page
    assert page.count("<span>0.00</span>") == 5
    onward = re.search(r'word-order__act"><a class="button" href="([^"]+)"', page)
    assert client.get(onward[1], follow=True).status_code == 200


@pytest.mark.both_databases
def test_an_unknown_answer_is_refused(client, course):
    response = client.get("/?notices=perhaps")
    assert response.status_code == 400
    assert "notices=perhaps: must be yes or no" in response.content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "screen",
    [SCREENS[0], pytest.param(SCREENS[1], marks=pytest.mark.soak)],
    ids=("phone", "laptop"),
)
def test_sixty_words_one_click_and_no_scrolling(site, new_page, screen):
    page = new_page(viewport=screen)
    page.goto(site.url)
    assert 10 < page.evaluate(WORDS_ABOVE) <= MOST_WORDS
    choice = page.get_by_role("button", name="No, it cannot")
    box = choice.bounding_box()
    assert box["y"] + box["height"] <= screen["height"]
    choice.click()
    for part in (page.get_by_role("heading", name="Right:"), page.locator(".word-order__act a")):
        expect(part).to_be_visible()
        box = part.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= screen["height"]
    assert page.evaluate("scrollY") == 0
    expect(page.locator("#word-order")).to_be_focused()


# Words with a letter that are seen in the hero, of its picture as well; numbers are no words.
WORDS_OF_HERO = """() => {
  const walker = document.createTreeWalker(document.querySelector(".start"), NodeFilter.SHOW_TEXT);
  let words = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest(".visually-hidden")) continue;
    words += node.data.split(/\\s+/).filter((word) => /\\p{L}/u.test(word)).length;
  }
  return words;
}"""
ARCS_ARE_ALIKE = """() => new Set(
  [...document.querySelectorAll("#word-order path")].map((it) => getComputedStyle(it).strokeWidth)
).size === 1"""
UNCHANGED = "Every weight has moved with its words; none has changed."


def words_in_hand(page):
    return page.locator("#word-order button.sentence__tile").all_text_contents()


@pytest.mark.slow
@pytest.mark.parametrize(
    "screen",
    [SCREENS[0], pytest.param(SCREENS[1], marks=pytest.mark.soak)],
    ids=("phone", "laptop"),
)
def test_the_hero_has_sixty_words(site, new_page, screen):
    page = new_page(viewport=screen)
    page.goto(site.url)
    assert 30 < page.evaluate(WORDS_OF_HERO) <= MOST_WORDS
    page.get_by_role("button", name="Yes, it can").click()
    expect(page.get_by_role("status").filter(has_text=UNCHANGED)).to_be_visible()
    assert 30 < page.evaluate(WORDS_OF_HERO) <= MOST_WORDS


@pytest.mark.slow
def test_words_are_held_before_a_guess(site, page):
    """Moved, they show no attention: a reader guesses first. The order is the reader's then."""
    page.goto(site.url)
    figure = page.locator("#word-order .sentence")
    dog = page.get_by_role("button", name="dog, place 2 of 5")
    dog.press("End")
    assert words_in_hand(page) == ["the", "chased", "the", "man", "dog"]
    expect(figure.get_by_text("Guess, then look.")).to_be_visible()
    assert set(figure.locator(".sentence__share").all_text_contents()) == {"?"}
    page.wait_for_function(ARCS_ARE_ALIKE)
    page.get_by_role("button", name="dog, place 5 of 5").press("ArrowLeft")
    page.get_by_role("button", name="Yes, it can").click()
    expect(page.get_by_role("heading", name="Not quite:")).to_be_visible()
    assert words_in_hand(page) == ["the", "chased", "the", "dog", "man"]
    expect(page.get_by_text(UNCHANGED)).to_be_visible()


@pytest.mark.slow
def test_after_a_guess_positions_tell_orders_apart(site, page):
    page.goto(site.url)
    page.get_by_role("button", name="No, it cannot").click()
    expect(page.get_by_text(UNCHANGED)).to_be_visible()
    assert words_in_hand(page) == ["the", "man", "chased", "the", "dog"]
    page.get_by_role("switch", name="Positions").click()
    page.get_by_role("button", name="dog, place 5 of 5").press("Home")
    expect(
        page.get_by_text(re.compile(r"With positions, weights change by up to 0\.[1-9]"))
    ).to_be_visible()
    page.locator("#word-order").get_by_text("Values as a table").click()
    rows = page.locator(".word-order__outputs tbody tr")
    assert rows.locator("th").all_text_contents() == words_in_hand(page)
    changes = rows.locator("td span").all_text_contents()
    assert set(changes[::2]) == {"0.00"}
    assert min(map(float, changes[1::2])) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    "width",
    [320, pytest.param(390, marks=pytest.mark.soak), pytest.param(1280, marks=pytest.mark.soak)],
)
def test_the_answered_hero_is_for_everybody(site, new_page, width):
    page = new_page(viewport={"width": width, "height": 844})
    page.goto(f"{site.url}/?notices=no")
    for summary in each(page.locator("#word-order summary")):
        summary.click()
    assert findings(page) == []
    assert sideways_scroll(page) == 0


@pytest.mark.soak
@pytest.mark.slow
def test_a_sentence_of_the_readers_own_stays_in_the_browser(site, page):
    page.goto(f"{site.url}/?notices=no")
    sent = []
    page.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    page.locator("#word-order").get_by_text("Your sentence").first.click()
    field = page.get_by_label("Your sentence").first
    field.fill("<b>Ada</b> met " + "x" * 30)
    field.press("Enter")
    assert words_in_hand(page) == ["<b>Ada</b>", "met", "x" * 20]
    page.locator("#word-order").get_by_role("button", name="Shuffle").click()
    assert words_in_hand(page) != ["<b>Ada</b>", "met", "x" * 20]
    assert not any("Ada" in text or "xxx" in text for text in sent)
    figure = page.locator("#figure-codes .live__words--rows span")
    expect(figure).to_have_count(3)  # the same sentence on the figure below, in its own order
    page.reload()
    expect(field).to_have_value(f"<b>Ada</b> met {'x' * 20}")
    assert sorted(words_in_hand(page)) == sorted(["<b>Ada</b>", "met", "x" * 20])
    assert words_in_hand(page) != ["<b>Ada</b>", "met", "x" * 20]
