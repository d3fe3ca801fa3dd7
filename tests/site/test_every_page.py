"""Every page that links lead to from the start page, as a visitor meets it.

Each is opened once, and looked at wide and on a phone without loading it again. Of all that axe
asks contrast takes longest and depends on styles alone: it is asked, in the light and in the dark,
where a page has a kind of element that no page before it had.
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
KINDS = """() => [...document.querySelectorAll("main *, header *, footer *")].map((one) =>
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


def faults_of(page: Page, seen: set[str]) -> list[str]:
    """Return what is wrong with the page that is open, wide and in the light; then it is left."""
    kinds = set(page.evaluate(KINDS))
    new = not kinds <= seen
    seen |= kinds
    faults = [f"light: {found}" for found in findings(page, contrast=new)]  # brings axe in
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    if new:
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
    seen: set[str] = set()
    found = {path: faults_of(page, seen) for path in pages_behind(page, site.url)}
    assert len(found) >= 15, list(found)
    assert {path: faults for path, faults in found.items() if faults} == {}
