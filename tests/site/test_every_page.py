"""Every page that links lead to from the start page, as a visitor meets it."""

import re
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser import sideways_scroll
from tests.site.test_in_browser import findings

pytestmark = pytest.mark.slow

NOT_PAGES = re.compile(r"^/(static|admin|figures)/|\.(svg|png|csv|pdf|json)$")
LINKS = "[...document.querySelectorAll('a[href]')].map((one) => one.href)"


def pages_behind(page: Page, base: str) -> list[str]:
    """Return the paths of all pages that can be reached, and fail on a link that leads nowhere."""
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
    return waiting


def test_every_page_can_be_reached_read_and_used(site, new_page):
    page = new_page()
    paths = pages_behind(page, site.url)
    assert len(paths) >= 15, paths
    wrong = []
    for path in paths:
        for scheme in ("light", "dark"):
            page.set_viewport_size({"width": 1280, "height": 800})
            page.emulate_media(color_scheme=scheme)
            page.goto(site.url + path)
            wrong += [f"{path} {scheme}: {found}" for found in findings(page)]
            page.set_viewport_size({"width": 390, "height": 844})
            if over := sideways_scroll(page):
                wrong.append(f"{path} {scheme}: {over} px too wide at 390 px")
    assert wrong == []
