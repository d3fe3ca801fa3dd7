"""Every page that links lead to from the start page, as a visitor meets it.

Each is opened once, and looked at in the light and on a phone without loading it again. Of all
that axe asks only contrast depends on the scheme, and that on styles: a page is looked at in the
dark when it has one that no page before it had.
"""

import re
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser import sideways_scroll
from tests.site.test_in_browser import findings

pytestmark = pytest.mark.slow

NOT_PAGES = re.compile(r"^/(static|admin|figures)/|\.(svg|png|csv|pdf|json)$")
LINKS = "[...document.querySelectorAll('a[href]')].map((one) => one.href)"
CONTRAST = """async () => {
  const { violations } = await axe.run(document, { runOnly: ["color-contrast"] });
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html}`));
}"""
STYLES = """() => [...document.querySelectorAll("main *, header *, footer *")].map((one) =>
  [one.localName, ...one.classList, one.ariaCurrent, one.open, one.disabled].join(" "))"""
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def pages_behind(page: Page, base: str) -> Iterator[str]:
    """Open all pages that can be reached, one after the other; fail on a link to nowhere."""
    waiting, seen = ["/"], {"/"}
    for path in waiting:
        response = page.goto(base + path)
        assert response is not None
        assert response.status == 200, f"{path}: {response.status}"
        for link in page.evaluate(LINKS):
            address = urlsplit(urldefrag(urljoin(base + path, link)).url)
            if f"{address.scheme}://{address.netloc}" != base or NOT_PAGES.search(address.path):
                continue
            if address.path not in seen:
                seen.add(address.path)
                waiting.append(address.path)
        yield path


def faults_of(page: Page, seen_in_the_dark: set[str]) -> list[str]:
    """Return what is wrong with the page that is open, wide and in the light; then it is left."""
    styles = set(page.evaluate(STYLES))
    faults = [f"light: {found}" for found in findings(page)]  # this brings axe into the page
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    if not styles <= seen_in_the_dark:
        seen_in_the_dark |= styles
        page.emulate_media(color_scheme="dark")
        faults += [f"dark, 390 px: {found}" for found in page.evaluate(CONTRAST)]
    if over := sideways_scroll(page):
        faults.append(f"{over} px too wide at 390 px")
    page.goto("about:blank")  # its figures would be drawn anew for the wide window
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light")
    return faults


def test_every_page_can_be_reached_read_and_used(site, new_page):
    page = new_page(color_scheme="light", viewport=WIDE)
    dark: set[str] = set()
    found = {path: faults_of(page, dark) for path in pages_behind(page, site.url)}
    assert len(found) >= 15, list(found)
    assert {path: faults for path, faults in found.items() if faults} == {}
