"""The pages with the slider: a lesson, and the same figure in Streamlit and in Panel."""

import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.own_site import HOME
from benchmarks.slider import MARKED, OURS, PROBE, Slider, measure
from tests.browser import CHROMIUM_FLAGS
from tools.find_chromium import find_chromium

APPS = Path(__file__).resolve().parent / "apps"
STEP = f"{HOME}/learn/sinusoidal-values/seeing-it/"
START_SECONDS = 60
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


def streamlit(python: Path, *, steps: int, drags: int) -> Slider:
    """Return the times of a page in Streamlit."""
    port = free_port()
    command = ["-m", "streamlit", "run", "streamlit_app.py", f"--server.port={port}"]
    command += ["--server.address=127.0.0.1", "--server.headless=true"]
    command += ["--server.fileWatcherType=none", "--browser.gatherUsageStats=false"]
    with _serving([str(python), *command], f"http://127.0.0.1:{port}/") as url:
        return _marked(url, "[role=slider], input[type=range]", steps=steps, drags=drags)


def panel(python: Path, *, steps: int, drags: int) -> Slider:
    """Return the times of a page in Panel."""
    port = free_port()
    command = ["-m", "panel", "serve", "panel_app.py", f"--port={port}", "--address=127.0.0.1"]
    with _serving([str(python), *command], f"http://127.0.0.1:{port}/panel_app") as url:
        return _marked(url, ".noUi-handle", steps=steps, drags=drags)


def _marked(url: str, handle: str, *, steps: int, drags: int) -> Slider:
    with chromium_page() as page:
        page.goto(url)
        slider = page.locator(handle).first
        slider.wait_for(state="attached", timeout=30_000)
        page.evaluate(PROBE)
        page.evaluate(MARKED)
        page.wait_for_function("() => window.probe.shown.some(([value]) => value === 50)")
        return measure(page, slider, start=50, steps=steps, drags=drags)


@contextmanager
def _serving(command: list[str], url: str) -> Iterator[str]:
    """Run a server in the folder of the apps until its page answers; stop it afterwards."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=APPS, stdout=log, stderr=log)
        try:
            _wait(process, url, log)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: "subprocess.Popen[bytes]", url: str, log: Any) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=30):
                return
        except OSError:
            time.sleep(0.1)
    log.seek(0)
    raise RuntimeError(f"{url} did not answer:\n{log.read()[-2000:].decode(errors='replace')}")


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
