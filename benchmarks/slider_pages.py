"""The page with the slider: a step of a lesson, in a Chromium of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.own_site import HOME
from benchmarks.slider import OURS, PROBE, Slider, measure
from tests.browser import CHROMIUM_FLAGS
from tools.find_chromium import find_chromium

STEP = f"{HOME}/learn/sinusoidal-values/seeing-it/"
# After a key Chromium keeps messages and timers back until another frame has begun, where the key
# came just before a frame: the probe would be told of a picture one frame after it was there.
NO_MESSAGE_LATER = "--disable-features=DeferRendererTasksAfterInput"


@contextmanager
def chromium_page() -> Iterator[Any]:
    """Yield a page of a browser of its own, 1280 px wide."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=[*CHROMIUM_FLAGS, NO_MESSAGE_LATER]
        )
        yield browser.new_page(viewport={"width": 1280, "height": 900})
        browser.close()


def ours(url: str, *, steps: int, drags: int, by_the_server: bool = False) -> Slider:
    """Return the times of the lesson's live figure on a running site.

    `by_the_server`: as for views that the page cannot draw by itself.
    """
    with chromium_page() as page:
        if by_the_server:  # not by `page.route`, which takes the browser's cache away
            line = page.context.new_cdp_session(page)
            line.send("Network.enable")
            line.send("Network.setBlockedURLs", {"urls": ["*/page-picture.js*"]})
        page.goto(url + STEP)
        if not by_the_server:
            page.wait_for_selector("#figure-codes.live--here")
        page.wait_for_selector("#figure-codes.live--on")
        page.evaluate(PROBE)
        page.evaluate(OURS, by_the_server)
        slider = page.locator("#figure-codes [data-control=d_model] input")
        return measure(page, slider, start=50, steps=steps, drags=drags)
