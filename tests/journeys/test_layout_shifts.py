"""A workbench over a slow line: what is in sight stays where it is while the rest comes."""

import pytest
from playwright.sync_api import Page, expect

from tests.courses import at
from tests.journeys.test_slow_network import slow

EXERCISE = at("/exercises/sinusoidal-table/")
# Of the fonts, whose stand-ins have almost their widths. Chrome calls a page steady below 0.1.
MOST = 0.01
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node?.outerHTML?.slice(0, 80));
    if (!hadRecentInput) shifts.push([value, moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
TOP_OF_CODE = (
    "document.querySelector(':is(#editor, #id_code):not([hidden])').getBoundingClientRect().top"
)


@pytest.mark.slow
@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.soak), 390])
def test_exercise_does_not_move_while_it_loads(site, new_page, width):
    page = new_page(cold=True, viewport={"width": width, "height": 800})
    page.add_init_script(WATCH)
    slow(page)
    page.goto(site.url + EXERCISE, wait_until="domcontentloaded")
    early = page.evaluate(TOP_OF_CODE)
    require_editor(page)
    assert sum(value for value, _ in page.evaluate("shifts")) < MOST, page.evaluate("shifts")
    if width > 390:  # there it is in a tab
        assert page.evaluate(TOP_OF_CODE) == pytest.approx(early, abs=1)


def require_editor(page: Page) -> None:
    """Wait until the last of the page has come."""
    editor = page.locator("#editor .cm-content")
    expect(editor).to_be_attached(timeout=60_000)
    page.wait_for_timeout(200)  # shifts are told after their frame
