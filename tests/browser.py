"""What journeys ask of a page: accessible, not wider than the screen, no errors in its console."""

import re
import shutil
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Error, Page

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Return the system's Chromium or Chrome, or None. A snap's wrapper is not one."""
    for name in CHROMIUM_NAMES:
        path = shutil.which(name)
        if path and not _is_snap(path):
            return path
    return None


def _is_snap(path: str) -> bool:
    with open(path, "rb") as file:
        return b"/snap/bin" in file.read(4096)


@dataclass
class PageErrors:
    """Everything that went wrong in the pages of one test."""

    found: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        """Expect errors that match the regular expression `pattern`."""
        self.allowed.append(pattern)

    def watch(self, page: Page) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", self._on_exception)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.found.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _on_exception(self, error: Error) -> None:
        self.found.append(f"uncaught: {error.message}")

    def unexpected(self) -> list[str]:
        return [text for text in self.found if not any(re.search(p, text) for p in self.allowed)]


def serious_findings(page: Page) -> list[str]:
    """Return what axe finds serious or critical on the page, each with its first element."""
    response: dict[str, Any] = Axe().run(page).response
    return [
        f"{finding['id']}: {finding['help']}: {finding['nodes'][0]['html']}"
        for finding in response["violations"]
        if finding["impact"] in {"serious", "critical"}
    ]


def sideways_scroll(page: Page) -> int:
    """Return by how many px the page is wider than its window; 0 is right."""
    script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(script))
