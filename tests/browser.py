"""What journeys ask of a page: not wider than the screen, no errors in its console."""

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Error,
    Frame,
    Locator,
    Page,
    Route,
    ViewportSize,
    expect,
)

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

    def leave(self, page: Page) -> None:
        """Hear no more of a page that goes on to another test."""
        self.pages.remove(page)
        page.remove_listener("console", self._on_console)
        page.remove_listener("pageerror", self._on_exception)

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


# Pages take the network to be up unless a test sets them offline, whatever this machine has.
OF_A_TEST = """
let isOffline = false;
Object.defineProperty(Navigator.prototype, "onLine", { configurable: true, get: () => !isOffline });
for (const name of ["online", "offline"]) {
  addEventListener(name, (event) => event.isTrusted && event.stopImmediatePropagation(), true);
}
window.ordinalSetOffline = (value) => {
  isOffline = value;
  dispatchEvent(new Event(value ? "offline" : "online"));
};
"""
TELL = "(isOffline) => window.ordinalSetOffline?.(isOffline)"


def hide_network_of_machine(browser: Browser) -> None:
    """Have pages hear of the network from tests alone; `set_offline` cuts it as ever.

    On a machine without a network but loopback, or that loses it while tests run, a page asks
    whether the site answers before it sends a form (static/site/offline.js): what a test clicked
    then happens later. And no page would hear of a connection that a test cuts.
    """
    new_context = browser.new_context

    def new_deaf_context(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.add_init_script(OF_A_TEST)
        set_offline = context.set_offline

        def set_and_tell(offline: bool) -> None:
            set_offline(offline)
            for page in context.pages:
                page.evaluate(TELL, offline)

        context.set_offline = set_and_tell  # type: ignore[method-assign]
        return context

    browser.new_context = new_deaf_context  # type: ignore[method-assign]


# What a test does to a page or its context that cannot be taken back.
LASTING = {
    "add_init_script",
    "add_locator_handler",
    "close",
    "expose_binding",
    "expose_function",
    "grant_permissions",
    "new_cdp_session",
    "on",
    "once",
    "route",
    "route_from_har",
    "route_web_socket",
    "set_default_navigation_timeout",
    "set_default_timeout",
    "set_extra_http_headers",
    "set_geolocation",
    "set_offline",
}
LIKE_NEW: dict[str, Any] = {
    "media": "null",
    "color_scheme": "light",
    "reduced_motion": "no-preference",
}
OPTIONS_OF_A_PAGE = {"viewport", "color_scheme", "reduced_motion"}  # the others are a context's


@dataclass
class KeptPage:
    """A page for one test after the other: a new one starts a process and reads all files anew.

    That is half of what opening a page costs. A test that did something lasting to it, such as a
    route or a listener, was its last. Storage and cookies are emptied between two tests, after the
    page was left: what it keeps as it is left, a draft, would otherwise meet the next test.
    """

    browser: Browser
    patience_ms: int
    page: Page | None = None
    is_free: bool = True
    has_traces: bool = False
    origins: set[str] = field(default_factory=set)
    line: CDPSession | None = None

    def take(self, errors: PageErrors, viewport: ViewportSize, **media: Any) -> Page:
        """Return the page as a new visitor has it; nobody else may have it meanwhile."""
        self.is_free = False
        page = self.page = self.page or self._open()
        page.context.clear_cookies()
        page.mouse.move(-1, -1)
        page.set_viewport_size(viewport)
        page.emulate_media(**LIKE_NEW | media)
        errors.watch(page)
        self.has_traces = False
        return page

    def _open(self) -> Page:
        context = self.browser.new_context()
        context.set_default_timeout(self.patience_ms)
        page = context.new_page()
        page.on("framenavigated", self._note_origin)
        self.line = context.new_cdp_session(page)
        for part in (page, context):
            for name in LASTING & set(dir(part)):
                setattr(part, name, self._noting_traces(getattr(part, name)))
        return page

    def _note_origin(self, frame: Frame) -> None:
        parts = urlsplit(frame.url)
        if parts.netloc:
            self.origins.add(f"{parts.scheme}://{parts.netloc}")

    def _noting_traces(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def leave_traces(*arguments: Any, **options: Any) -> Any:
            self.has_traces = True
            return method(*arguments, **options)

        return leave_traces

    def give_back(self, errors: PageErrors) -> None:
        """Leave the page for the next test, or close it when it cannot be as new."""
        page, self.is_free = self.page, True
        if page is None:
            return
        errors.leave(page)
        if self.has_traces or page.is_closed() or not page.url.startswith("http"):
            self.close()
            return
        try:
            for other in page.context.pages:
                if other is not page:
                    other.close()
            page.evaluate("sessionStorage.clear()")
            page.goto("about:blank")
            assert self.line is not None
            for origin in self.origins:
                kinds = {"origin": origin, "storageTypes": "all"}
                self.line.send("Storage.clearDataForOrigin", kinds)
            self.origins.clear()
        except Error:
            self.close()

    def close(self) -> None:
        """End the page and its connections to servers of this process."""
        if self.page is not None:
            self.page.context.close()
            self.page = None


class HeldScripts:
    """Scripts that a page asks for and does not get before `release`."""

    def __init__(self, page: Page) -> None:
        self.routes: list[Route] | None = []
        page.route("**/static/**/*.js", self._hold)

    def _hold(self, route: Route) -> None:
        if self.routes is None:
            route.continue_()
        else:
            self.routes.append(route)

    def release(self) -> None:
        routes, self.routes = self.routes, None
        assert routes, "the page asked for no script"
        for route in routes:
            route.continue_()


def each(elements: Locator) -> list[Locator]:
    """Return all the elements of a page that has arrived; there must be one.

    A click returns when the next page begins to arrive, and `Locator.all` takes what is there.
    """
    expect(elements).not_to_have_count(0)
    elements.page.wait_for_load_state("domcontentloaded")  # of the page that has the first of them
    return elements.all()


def sideways_scroll(page: Page) -> int:
    """Return by how many px the page is wider than its window; 0 is right."""
    script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(script))


def press_until_focused(
    page: Page,
    selector: str,
    *,
    most: int = 80,
    look: str = "() => ({})",
    check: Callable[[dict[str, Any]], object] = lambda _: None,
) -> None:
    """Press Tab until the element is focused, as someone without a mouse does.

    After each press `check` is told what the script `look` found. What was clicked before may still
    be loading a page: without waiting, Tab would walk through the old one.
    """
    expect(page.locator(selector).first).to_be_attached()
    script = f"(it) => [document.activeElement?.matches(it) ?? false, ({look})()]"
    for _ in range(most):
        page.keyboard.press("Tab")
        is_there, found = page.evaluate(script, selector)
        check(found)
        if is_there:
            return
    pytest.fail(f"{selector} is not reached by {most} presses of Tab")
