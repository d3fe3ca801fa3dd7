"""Every page that links lead to from the start page, and what a visitor may expect of each.

Each is opened once, in the light on a wide screen or in the dark on a phone by turns, and then
looked at in the other way as well. The contrast of every text is measured in both; what axe says
of it, which takes longer than all the rest, is asked at night, where an address has a new shape.
"""

import re
from collections.abc import Callable, Iterable
from typing import Literal
from urllib.parse import urldefrag, urljoin, urlsplit
from urllib.request import urlopen

from playwright.sync_api import Page

from tests.accessible import faint_text, findings, small_targets
from tests.browser import sideways_scroll

LINK = re.compile(r'<a\b[^>]*?\bhref="([^"]*)"')
NOT_PAGES = re.compile(r"^/(static|admin|figures)/|\.(svg|png|csv|pdf|json)$")
Look = tuple[str, dict[str, int], Literal["light", "dark"]]
WIDE: Look = ("wide, light", {"width": 1280, "height": 800}, "light")
PHONE: Look = ("390 px, dark", {"width": 390, "height": 844}, "dark")


def pages_of(base: str) -> list[str]:
    """Return the paths of all pages that can be reached; a link to nowhere raises HTTPError."""
    waiting, seen = ["/"], {"/"}
    for path in waiting:
        with urlopen(base + path) as answer:
            links = LINK.findall(answer.read().decode())
        for link in links:
            address = urlsplit(urldefrag(urljoin(base + path, link.replace("&amp;", "&"))).url)
            if f"{address.scheme}://{address.netloc}" != base or NOT_PAGES.search(address.path):
                continue
            if address.path not in seen:
                seen.add(address.path)
                waiting.append(address.path)
    return waiting


def course_of(path: str) -> str:
    """Return the course that a page is of, "" for a page of the whole site."""
    parts = path.split("/")
    return parts[2] if parts[1] == "c" else ""


def is_of_a_lesson(path: str) -> bool:
    """Say whether a page is a lesson's, or the list of a course's lessons."""
    return course_of(path) != "" and path.split("/")[3] == "learn"


def _shape(path: str) -> tuple[int, str]:
    return path.count("/"), path.split("/")[3 if course_of(path) else 1]


def faults_of_pages(
    base: str, paths: Iterable[str], new_page: Callable[..., Page], *, every_look: bool
) -> dict[str, list[str]]:
    """Return what is wrong with each page, in the words of whoever found it."""
    # Without transitions: a colour on its way from one scheme to the other is neither's.
    page = new_page(color_scheme="light", viewport=WIDE[1], reduced_motion="reduce")
    looks = (WIDE, PHONE)
    shapes: set[tuple[int, str]] = set()
    found = {}
    for path in paths:
        page.goto(base + path)
        contrast = every_look and _shape(path) not in shapes
        found[path] = faults_of(page, looks, contrast=contrast, every_look=every_look)
        shapes.add(_shape(path))
        looks = looks[1], looks[0]  # the next one is opened as this one is left
    return {path: problems for path, problems in found.items() if problems}


def faults_of(
    page: Page, looks: Iterable[Look], *, contrast: bool, every_look: bool = True
) -> list[str]:
    """Return what is wrong with the page that is open, in the first look and then in the others.

    With `contrast` axe is asked of everything; with `every_look` as well, in each of them.
    """
    page.wait_for_load_state()  # a style sheet that comes late leaves its links small
    problems = []
    for number, (name, window, scheme) in enumerate(looks):
        if number:
            page.set_viewport_size(window)  # type: ignore[arg-type]
            page.emulate_media(color_scheme=scheme)
        wrong = faint_text(page) + small_targets(page)
        if number == 0 or (contrast and every_look):
            wrong += findings(page, contrast=contrast)
        if over := sideways_scroll(page):
            wrong.append(f"{over} px too wide")
        problems += [f"{name}: {one}" for one in wrong]
    return problems
