"""A picture that the page draws looks like the one that the server drew: pixel by pixel."""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser, pytest.mark.slow]
NOTICED = 64  # of 255, in one pixel; less is the smoothing of an edge
MOST = 0.001  # of the pixels
STEPS = 4  # there, and as many back
# As wide as it is drawn: stretched, the edges of an image and of a page are smoothed differently.
OWN_WIDTH = "(figure) => (figure.style.maxWidth = '720px')"
# A step at once, and the nodes that it took out or put in: each has Chromium ask `:has()` anew.
STEP_BACK = """(slider) => {
  const watcher = new MutationObserver(() => {});
  watcher.observe(document, { childList: true, subtree: true });
  slider.stepDown();
  slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  return watcher.takeRecords().map(({ target }) => target.outerHTML);
}"""


@pytest.mark.parametrize(
    ("view", "name"),
    [
        ("sinusoidal/heatmap", "d_model"),
        pytest.param("t5_bias/staircase", "reach", marks=pytest.mark.soak),
    ],
)
def test_a_step_and_back_leaves_every_pixel(
    page: Page, live_server: LiveServer, view: str, name: str
) -> None:
    page.goto(f"{live_server.url}/explore/?enc={view}")
    expect(page.locator(".live--here")).to_be_attached()
    page.locator(".live").evaluate(OWN_WIDTH)
    drawn_by_the_server = _pixels(page)
    slider = page.locator(f"[data-control={name}] input").first
    for _ in range(STEPS):
        slider.press("ArrowRight")
    expect(page.locator(".live__stage")).to_be_visible()
    assert _share_apart(_pixels(page), drawn_by_the_server) > MOST
    assert slider.evaluate(STEP_BACK) == []
    for _ in range(STEPS - 1):
        slider.press("ArrowLeft")
    expect(page.locator(".live--stale")).to_have_count(0)
    assert _share_apart(_pixels(page), drawn_by_the_server) <= MOST


def _pixels(page: Page) -> "np.ndarray[tuple[int, ...], np.dtype[np.int16]]":
    picture = page.locator(".live__canvas").first.screenshot(animations="disabled")
    return np.asarray(Image.open(io.BytesIO(picture)).convert("L")).astype(np.int16)


def _share_apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.mean(np.abs(one - other) > NOTICED)) if one.shape == other.shape else 1.0
