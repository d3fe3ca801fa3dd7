"""The base page, the start page and the pages for accounts and faults, in a real browser."""

import gzip
import re
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import findings, small_targets
from tests.browser import sideways_scroll
from tests.courses import at

SOAK = pytest.mark.soak
PAGES = (
    "/",
    at("/progress/"),
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/no/such/page/",
)
# test_every_page opens the others as well, and one of each kind of form is enough.
LOOKED_AT = [
    path if path == "/accounts/login/" else pytest.param(path, marks=SOAK) for path in PAGES
]
WALKED_BY_TAB = [
    path if path in ("/", "/accounts/signup/") else pytest.param(path, marks=SOAK) for path in PAGES
]
MOST_BYTES = 300_000  # transferred on a first view of a production site
PACKED = re.compile(r"\.(css|js|svg)$")  # static files that production stores compressed as well
MOST_STOPS = 150  # of Tab on one page; progress has a link for every lesson, concept and exercise
FOCUSED = """() => {
  const at = document.activeElement;
  const ring = (element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  };
  const around = [at, at.closest(".choice")].filter(Boolean);
  const after = getComputedStyle(at, "::after"); // a card's link draws its ring round the card
  return {
    what: `${at.tagName} ${at.id || at.name || at.textContent.trim().slice(0, 30)}`,
    seen: around.some(ring) || after.outlineStyle !== "none",
    inBody: at === document.body,
  };
}"""
HEADINGS = "[...document.querySelectorAll('h1,h2,h3,h4')].map((h) => +h.tagName[1])"
SHIFT = """() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 500);
})"""


# How much wider a stand-in that this machine has is than the face of the text, in regular, at the
# weight of headings and in italics.
STAND_INS = """async () => {
  const line = "Each row is the code of one position; the columns come in pairs, sine and cosine.";
  const pen = document.createElement("canvas").getContext("2d");
  const width = async (font) => {
    const loaded = await document.fonts.load(font).catch(() => []);
    pen.font = font;
    return loaded.length ? pen.measureText(line).width : 0;
  };
  const found = [];
  for (const kind of ["20px", "600 20px", "italic 20px"]) {
    const face = await width(`${kind} "Ordinal Serif"`);
    for (const name of ["stand-in", "wide stand-in"]) {
      const other = await width(`${kind} "Ordinal Serif ${name}"`);
      if (other) found.push([`${kind} ${name}`, other / face]);
    }
  }
  return found;
}"""


@pytest.fixture
def opened(site, new_page, page_errors):
    page_errors.allow("status of 404")  # the browser notes what the last of PAGES answers

    def open_page(path: str, **options: Any) -> Page:
        page = new_page(**options)
        page.goto(site.url + path)
        return page

    return open_page


@pytest.mark.parametrize("path", LOOKED_AT)
def test_a_page_can_be_read_and_used_wide_and_on_small_screens(opened, path):
    page = opened(path, color_scheme="light")
    assert findings(page) == []
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    assert findings(page) == []
    assert small_targets(page) == []
    assert sideways_scroll(page) == 0
    page.set_viewport_size({"width": 320, "height": 640})  # WCAG 2.2, 1.4.10
    assert sideways_scroll(page) == 0
    header = page.locator(".site-header").bounding_box()
    assert header is not None
    assert header["height"] <= 100


@pytest.mark.parametrize("path", WALKED_BY_TAB)
def test_headings_are_in_order_and_tab_reaches_everything_and_shows_where_it_is(opened, path):
    page = opened(path)
    levels = page.evaluate(HEADINGS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels)), levels
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    seen = []
    for _ in range(MOST_STOPS):
        here = page.evaluate(FOCUSED)
        if here["inBody"]:
            break
        assert here["seen"], f"{here['what']} has no visible focus"
        seen.append(here["what"])
        page.keyboard.press("Tab")
    assert len(seen) >= 6
    assert len(seen) < MOST_STOPS, "Tab does not come round"


def test_the_skip_link_leads_past_the_header(opened):
    page = opened("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_a_wider_window_shows_no_less(opened):
    page, widths = opened("/courses/"), []
    for width in (1280, 1920, 2560):
        page.set_viewport_size({"width": width, "height": 900})
        widths.append(page.locator("main > *").first.evaluate("element => element.clientWidth"))
    assert widths == sorted(widths)


def sent_sizes(page: Page) -> dict[str, int]:
    """Return the bytes of all that `page` loaded, each as a production site sends it.

    There static files are stored compressed; in development they come plain from their folders.
    """
    entries = page.evaluate("""performance.getEntriesByType("resource").concat(
        performance.getEntriesByType("navigation")).map(
        (one) => [one.name, one.transferSize, one.encodedBodySize, one.decodedBodySize])""")
    sizes: dict[str, int] = {}
    for name, sent, encoded, decoded in entries:
        sizes[name] = sizes.get(name, 0) + sent
        path = urlsplit(name).path
        if path.startswith("/static/") and PACKED.search(path) and sent and encoded == decoded:
            body = page.request.get(name).body()
            sizes[name] -= max(0, len(body) - len(gzip.compress(body)))
    return sizes


@pytest.mark.parametrize(
    ("path", "width"),
    [
        pytest.param("/", 1280, marks=SOAK),
        (at("/learn/sinusoidal-values/seeing-it/"), 1280),  # the heaviest step
        pytest.param(at("/deep-dive/3/"), 390, marks=SOAK),  # its formulas have a font of their own
        pytest.param(at("/map/"), 1440, marks=SOAK),
        (at("/map/?focus=rope"), 390),
    ],
)
def test_a_first_view_is_light_and_stands_still(opened, path, width):
    page = opened(path, viewport={"width": width, "height": 844}, cold=True)
    page.wait_for_load_state("networkidle")
    sizes = sent_sizes(page)
    assert sum(sizes.values()) < MOST_BYTES, sorted(sizes.items(), key=lambda one: -one[1])
    assert page.evaluate(SHIFT) < 0.02


@pytest.mark.soak
def test_the_stand_ins_of_the_face_are_as_wide_as_it_is(opened):
    """Else lines break anew when the face comes over a slow line."""
    found = opened("/").evaluate(STAND_INS)
    assert len(found) >= 3, "neither Times nor DejaVu is here"
    assert [one for one in found if abs(one[1] - 1) > 0.04] == []


@pytest.mark.soak
def test_a_slider_of_the_start_page_moves_the_figure_at_once(opened):
    page = opened("/")
    slider = page.get_by_role("slider", name="d_model")
    picture = page.locator(".hero [data-part=canvas]")
    before = picture.screenshot()
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".hero figcaption")).to_contain_text("51 dimensions")
    assert page.get_by_role("slider", name="d_model").input_value() == "51"
    assert picture.screenshot() != before


@pytest.mark.soak
def test_the_start_page_works_without_a_script(opened):
    page = opened("/", java_script_enabled=False)
    page.get_by_role("slider", name="d_model").fill("20")
    page.get_by_role("button", name="Redraw").click()
    expect(page).to_have_url(re.compile("codes.d_model=20"))
    expect(page.locator(".hero figcaption")).to_contain_text("20 dimensions")
    page.get_by_role("button", name="No, it cannot").click()
    page.get_by_role("link", name="Start the lesson").click()
    expect(page).to_have_url(re.compile(at("/learn/why-order/")))


def test_the_account_menu_opens_by_keyboard_and_signs_out(opened, site):
    page = opened("/accounts/login/")
    name, password = site.login("learner")
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    page.wait_for_url(site.url + "/")
    menu = page.locator("details.menu summary")
    menu.focus()
    page.keyboard.press("Enter")
    assert findings(page) == []
    page.get_by_role("button", name="Sign out").press("Enter")
    page.get_by_role("link", name="Sign in").wait_for()


def test_wrong_words_are_tied_to_their_field(opened):
    page = opened("/accounts/signup/")
    page.get_by_label("User name").fill("a b")
    page.get_by_label("Password").fill("12345678")
    page.get_by_role("button", name="Sign up").click()
    password = page.get_by_label("Password")
    assert password.get_attribute("aria-invalid") == "true"
    for described in password.get_attribute("aria-describedby").split():
        assert page.locator(f"#{described}").count() == 1, described
    assert findings(page) == []


def test_motion_stops_for_those_who_ask(opened):
    page = opened("/", reduced_motion="reduce")
    duration = page.evaluate(
        "getComputedStyle(document.querySelector('summary'), '::before').transitionDuration"
    )
    assert float(duration.rstrip("s")) < 0.001


def test_paper_has_the_words_and_nothing_to_press(opened):
    page = opened(at("/learn/sinusoidal-values/order-blindness/"))
    page.emulate_media(media="print")
    assert page.locator("h1").is_visible()
    for gone in (".site-header", ".site-footer", ".skip-link"):
        assert not page.locator(gone).is_visible(), gone
