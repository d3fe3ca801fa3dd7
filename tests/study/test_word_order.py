"""The start page's prediction: asked in a few words, answered by the engine, led on from."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from posenc.catalog.nope import NoPE
from posenc.catalog.sinusoidal import Sinusoidal

from quizzes.study.word_order import DIMENSIONS, outputs, swapped_outputs

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


@pytest.mark.soak
@pytest.mark.slow
def test_a_sentence_of_the_readers_own_stays_in_the_browser(site, page):
    page.goto(f"{site.url}/?notices=no")
    sent = []
    page.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    field = page.get_by_label("Your own sentence")
    field.fill("<b>Ada</b> met " + "x" * 30)
    field.press("Enter")
    rows = page.locator("[data-part=rows] th")
    expect(rows).to_have_count(3)
    assert sorted(rows.all_text_contents()) == sorted(["<b>Ada</b>", "met", "x" * 20])
    before = rows.all_text_contents()
    page.locator("#word-order").get_by_role("button", name="Shuffle").click()
    assert rows.all_text_contents() != before
    changes = page.locator("[data-part=rows] td span").all_text_contents()
    assert set(changes[::2]) == {"0.00"}
    assert max(map(float, changes[1::2])) > 0.01
    assert not any("Ada" in one or "xxx" in one for one in sent)
    figure = page.locator("#figure-codes .live__words--rows span")
    expect(figure).to_have_count(3)  # the same sentence on the figure below, in its own order
    page.reload()
    expect(field).to_have_value(f"<b>Ada</b> met {'x' * 20}")
    field.fill(" ".join(["word"] * 30))
    field.press("Enter")
    expect(rows).to_have_count(24)
    field.fill("one")
    field.press("Enter")
    expect(page.get_by_text("Write at least two words.")).to_be_visible()


@pytest.mark.slow
def test_the_page_computes_what_the_engine_computes(site, page):
    page.goto(f"{site.url}/?notices=no")
    sentences = ["the dog chased the man", "Ä ö 語 word", " ".join(map(str, range(24)))]
    address = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    address = next(one for one in address if "/attention" in one)
    for sentence in sentences:
        words = sentence.split()
        for with_positions, encoding in ((False, NoPE()), (True, Sinusoidal(d_model=DIMENSIONS))):
            found = page.evaluate(
                "async ([at, words, coded]) => (await import(at)).outputs(words, coded)",
                [address, words, with_positions],
            )
            np.testing.assert_allclose(found, outputs(words, encoding), rtol=0, atol=1e-12)
