"""Take the pictures of docs/screens/ from a running site: `take_screens.py http://127.0.0.1:8000`.

Small WebP files, one page each, light unless its name says dark. For README and documents; look at
them before committing them.
"""

import io
import sys
from pathlib import Path

from find_chromium import find_chromium
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screens"
LESSON = "/learn/sinusoidal-values"
# name: (address, what to bring into view, colour scheme)
SCREENS = {
    "lesson": (f"{LESSON}/seeing-it/", "figure", "light"),
    "lesson-dark": (f"{LESSON}/seeing-it/", "figure", "dark"),
    "exercise": ("/exercises/sinusoidal-table/", "h1", "light"),
    "home": ("/", "h1", "light"),
}
WIDTH, HEIGHT = 1200, 760


def take(browser: Browser, address: str, target: str, scheme: str) -> bytes:
    """Return a PNG of the page with `target` in view, at twice the pixels."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=1.5,
    )
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.locator(target).first.scroll_into_view_if_needed()
    picture = page.screenshot()
    context.close()
    return picture


def main(site: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (path, target, scheme) in SCREENS.items():
            picture = Image.open(io.BytesIO(take(browser, site + path, target, scheme)))
            file = FOLDER / f"{name}.webp"
            picture.save(file, quality=82, method=6)
            print(f"{file.name}: {file.stat().st_size // 1024} KB")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000")
