"""Every kind of page at every width: axe finds nothing, nothing is too wide, no text is cut off."""

import pytest
from playwright.sync_api import Browser, Page

from tests.accessible import findings
from tests.browser import sideways_scroll
from tests.site.page_kinds import KINDS, Kind, Prepared, open_kind, prepare

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.browser]

WIDTHS = (320, 390, 768, 1024, 1440)
# Text that reaches beyond a box that cuts off what reaches beyond it, and that cannot be scrolled.
CUT_OFF = """() => {
  const cut = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim()) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest("svg, select, textarea, .visually-hidden, .cm-editor, dialog")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 1) continue;
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.clipPath !== "none" || style.textOverflow === "ellipsis") break;
      if (style.overflowX === "auto" || style.overflowX === "scroll") break;
      if (style.overflowX === "visible" || style.display === "inline") continue;
      const frame = around.getBoundingClientRect();
      if (box.right > frame.right + 1 || box.left < frame.left - 1) {
        cut.push(texts.currentNode.data.trim().slice(0, 60));
        break;
      }
    }
  }
  return cut;
}"""


@pytest.fixture(scope="module")
def ready(site, chromium: Browser, request: pytest.FixtureRequest) -> Prepared:
    chosen = (getattr(item, "callspec", None) for item in request.session.items)
    kinds = [one.params["kind"] for one in chosen if one is not None and "kind" in one.params]
    of_pages = [one for one in kinds if isinstance(one, Kind)]
    return prepare(chromium, site.url, site.login, of_pages)


def faults(page: Page) -> list[str]:
    """Return what is wrong with the page that is open, in words."""
    found = findings(page)
    if over := sideways_scroll(page):
        found.append(f"{over} px too wide")
    return found + [f"cut off: {text}" for text in page.evaluate(CUT_OFF)]


def names_and_widths() -> list[object]:
    """Return parameters: a page that changes under the hand by day, all others at night."""
    return [
        pytest.param(
            kind,
            width,
            id=f"{kind.name}-{width}",
            marks=[] if (kind.name, width) == ("exercise", 320) else [pytest.mark.soak],
        )
        for kind in KINDS
        for width in WIDTHS
    ]


def test_there_are_the_kinds_that_a_reader_meets() -> None:
    assert len(KINDS) >= 45
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert sum(kind.busy for kind in KINDS) == 8


def test_cut_off_text_is_found(new_page) -> None:
    page = new_page()
    page.set_content(
        '<div style="width:60px;overflow:hidden;white-space:nowrap">A long line of words</div>'
        '<div style="width:60px;overflow:auto;white-space:nowrap">A line that scrolls</div>'
    )
    assert page.evaluate(CUT_OFF) == ["A long line of words"]


@pytest.mark.parametrize(("kind", "width"), names_and_widths())
def test_a_kind_of_page_at_a_width(
    site, new_page, page_errors, ready: Prepared, kind: Kind, width: int
) -> None:
    page_errors.allow("status of 404")  # of the kind "no such page"
    page = new_page(
        viewport={"width": width, "height": 900},
        storage_state=ready.states[kind.reader],
        reduced_motion="reduce",
        color_scheme="dark" if WIDTHS.index(width) % 2 else "light",
    )
    open_kind(page, site.url, kind, ready)
    assert faults(page) == []
