"""What journeys ask of a page: not wider than the screen, no errors in its console."""

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, expect

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # a process less; pixels are drawn by the processor either way
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# A page that is left saves its draft once more. As the answer never reaches the next page, what
# that one saves may be refused once, and is saved again. Chromium writes refusals to its console.
SAVED_TWICE = r"status of 409 .*/draft/\)"
# A search or a preview that a pressed button has overtaken is given up; htmx writes so, twice.
GIVEN_UP = r"^console: htmx:(afterRequest|sendAbort), "


def find_firefox() -> str:
    """Return the program of a Firefox, or "". No test drives it: it opens one page by itself."""
    return shutil.which("firefox-esr") or shutil.which("firefox") or ""


@dataclass
class PageErrors:
    """Everything that went wrong in the pages of one test."""

    found: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    allowed: list[str] = field(default_factory=lambda: [SAVED_TWICE, GIVEN_UP])

    def allow(self, pattern: str) -> None:
        """Expect errors that match the regular expression `pattern`."""
        self.allowed.append(pattern)

    def watch(self, page: Page) -> None:
        self.pages.append(page)
        page.on("console", self._on_console)
        page.on("pageerror", self._on_exception)

    def hear_the_last(self) -> None:
        """Take in what pages have said by now; Playwright tells while something is asked of it."""
        for page in self.pages:
            with suppress(Error):  # closed by the test
                page.wait_for_timeout(0)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.found.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _on_exception(self, error: Error) -> None:
        self.found.append(f"uncaught: {error.message}")

    def unexpected(self) -> list[str]:
        return [text for text in self.found if not any(re.search(p, text) for p in self.allowed)]


def sideways_scroll(page: Page) -> int:
    """Return by how many px the page is wider than its window; 0 is right."""
    script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(script))


def press_until_focused(
    page: Page, selector: str, *, most: int = 80, look: Callable[[], object] = lambda: None
) -> None:
    """Press Tab until the element is focused, as someone without a mouse does.

    `look` is called after each press. What was clicked before may still be loading a page: without
    waiting, Tab would walk through the old one.
    """
    expect(page.locator(selector).first).to_be_attached()
    for _ in range(most):
        page.keyboard.press("Tab")
        look()
        if page.locator(f"{selector}:focus").count():
            return
    pytest.fail(f"{selector} is not reached by {most} presses of Tab")
