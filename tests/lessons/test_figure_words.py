"""A reader's own sentence on figures: seen on rows and columns, kept in the browser, shuffled."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.accessible import serious_findings
from tests.browser import sideways_scroll

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
PUT = "Put your sentence on the picture"


def open_figure(page: Page, live_server: LiveServer, query: str, sentence: str = "") -> None:
    page.goto(f"{live_server.url}/explore/?{query}")
    page.get_by_role("button", name=PUT).first.click()
    if sentence:
        page.get_by_label("Your sentence").first.fill(sentence)
        page.keyboard.press("Enter")


def rows(page: Page, figure: str = "a") -> list[str]:
    """Return the words on the rows of a figure, without the numbers beside them."""
    labels = page.locator(f"#figure-{figure} .live__words--rows span").all_text_contents()
    return [re.sub(r"\d+$", "", one) for one in labels]


@pytest.mark.parametrize(
    ("view", "axes"),
    [
        pytest.param("sinusoidal/heatmap", ["rows"], marks=pytest.mark.soak),
        pytest.param("nope/equal-tokens", ["rows", "columns"], marks=pytest.mark.soak),
        ("alibi/penalties&a.tokens=24", ["rows", "columns"]),
        pytest.param("shaw/lookup", ["rows", "columns"], marks=pytest.mark.soak),
        pytest.param("t5_bias/buckets&a.tokens=12", ["rows", "columns"], marks=pytest.mark.soak),
    ],
)
def test_each_row_and_column_has_its_word_where_it_is(
    page: Page, live_server: LiveServer, view: str, axes: list[str]
) -> None:
    open_figure(page, live_server, f"enc={view}", "Ada met a cat")
    assert rows(page) == ["Ada", "met", "a", "cat"]
    assert ("columns" in axes) == (page.locator(".live__words--columns span").count() == 4)
    page.evaluate("document.querySelector('.live__canvas').scrollIntoView({ block: 'center' })")
    first = page.locator(".live__words--rows span").nth(0).bounding_box()
    last = page.locator(".live__words--rows span").nth(3).bounding_box()
    assert first
    assert last
    page.mouse.move(first["x"] + first["width"] + 12, last["y"] + last["height"] / 2)
    where = page.locator(".live__readout")
    expect(where).to_contain_text("3 “cat”")
    if "columns" in axes:
        expect(where).to_contain_text("0 “Ada”")
    page.get_by_role("button", name="Numbers only").click()
    expect(page.locator(".live__words span")).to_have_count(0)


def test_a_sentence_is_text_is_cut_and_stays_in_the_browser(
    page: Page, live_server: LiveServer
) -> None:
    open_figure(page, live_server, "enc=alibi/penalties&a.tokens=24")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    field = page.get_by_label("Your sentence")
    field.fill("<b>Ada</b> " + "x" * 30 + " word" * 30)
    field.press("Enter")
    words = ["<b>Ada</b>", "x" * 20, *["word"] * 22]
    assert rows(page) == words
    expect(page.get_by_text("These are words, not a model’s tokens")).to_be_visible()
    page.locator("#a-n_heads").press("ArrowRight")  # which asks the server
    expect(page.locator("[data-part=subtitle]")).to_contain_text("of 9")
    assert not any("Ada" in one or "xxx" in one for one in sent)
    assert "Ada" not in page.url
    page.reload()
    expect(page.get_by_label("Your sentence")).to_have_value(" ".join(words))
    assert rows(page) == words
    field.fill("one")
    field.press("Enter")
    expect(page.get_by_text("Write at least two words.")).to_be_visible()
    assert rows(page) == words


@pytest.mark.soak
def test_shuffled_it_tells_what_is_noticed_on_every_figure(
    page: Page, live_server: LiveServer
) -> None:
    sentence = "Ada met a very old cat"
    open_figure(page, live_server, "enc=sinusoidal/heatmap&enc=nope/equal-tokens", sentence)
    page.locator("#figure-b").get_by_role("button", name=PUT).click()
    page.locator("#figure-a").get_by_role("button", name="Shuffle").click()
    told = page.locator("#figure-a .live__told")
    expect(told).to_contain_text("changes by 0.00;")
    change = re.search(r"by up to (\d\.\d\d)", told.inner_text())
    assert change
    assert float(change[1]) > 0.05
    assert sorted(rows(page)) == sorted(sentence.split())
    assert rows(page) != sentence.split()
    assert rows(page, "b") == rows(page)


@pytest.mark.soak
def test_more_than_24_rows_offer_no_words(page: Page, live_server: LiveServer) -> None:
    open_figure(page, live_server, "enc=nope/equal-tokens&a.tokens=24")
    assert rows(page)
    page.locator("#a-tokens").press("ArrowRight")
    expect(page.get_by_label("Your sentence")).to_be_hidden()
    expect(page.locator(".live__words span")).to_have_count(0)
    page.locator("#a-tokens").press("ArrowLeft")
    expect(page.get_by_label("Your sentence")).to_be_visible()
    assert rows(page) == ["the", "dog", "chased", "the", "man"]


@pytest.mark.soak
def test_other_views_offer_no_words(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/explore/?enc=alibi/slopes")
    expect(page.locator(".live--here")).to_be_attached()
    expect(page.get_by_role("button", name=PUT)).to_have_count(0)


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_figure_with_words_is_accessible_and_fits(
    new_page: Callable[..., Page], live_server: LiveServer, scheme: str, width: int
) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    open_figure(page, live_server, "enc=shaw/lookup", "a sentence of " + "w" * 20 + " letters")
    assert serious_findings(page) == []
    assert sideways_scroll(page) == 0
