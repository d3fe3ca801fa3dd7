"""Take the pictures of docs/screens/ from a running site: `take_screens.py http://127.0.0.1:8000`.

Small WebP files, one page each, light unless its name says dark. For README and documents; look at
them before committing them. The site needs a worker: the last picture is of a verdict.
"""

import io
import sys
from pathlib import Path

from find_chromium import find_chromium
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

COURSE = "/c/positional-encodings"
FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screens"
LESSON = f"{COURSE}/learn/sinusoidal-values"
WIDE, PHONE = (1200, 760), (390, 760)
# name: (address, what to bring into view, colour scheme, window)
SCREENS = {
    "home": ("/", "h1", "light", WIDE),
    "home-phone-dark": ("/", "h1", "dark", PHONE),
    "lessons": (f"{COURSE}/learn/", "h1", "light", WIDE),
    "lesson": (f"{LESSON}/seeing-it/", "figure", "light", WIDE),
    "lesson-dark": (f"{LESSON}/seeing-it/", "figure", "dark", WIDE),
    "lesson-phone": (f"{COURSE}/learn/rope/two-pairings/", "h1", "light", PHONE),
    "card-phone": (f"{COURSE}/deep-dive/3/", "h1", "light", PHONE),
    "exercises": (f"{COURSE}/exercises/", "h1", "light", WIDE),
    "exercise": (f"{COURSE}/exercises/sinusoidal-table/", "h1", "light", WIDE),
    "exercise-phone-dark": (f"{COURSE}/exercises/apply-rope/", "h1", "dark", PHONE),
    "map-dark": (f"{COURSE}/map/?focus=rope", "h1", "dark", WIDE),
    "map-phone": (f"{COURSE}/map/?focus=rope", "h1", "light", PHONE),
    "explorer": ("/explore/?enc=nope/compare", "figure", "light", WIDE),
}
EXERCISE = "sinusoidal-table"
MISTAKE = f"quizzes/content/positional-encodings/exercises/{EXERCISE}/wrong/swap.py"
PATIENCE_MS = 30_000


def take(
    browser: Browser, address: str, target: str, scheme: str, window: tuple[int, int]
) -> bytes:
    """Return a PNG of the page with `target` in view."""
    context = browser.new_context(
        viewport={"width": window[0], "height": window[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=1.25,
    )
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.locator(target).first.scroll_into_view_if_needed()
    picture = page.screenshot()
    context.close()
    return picture


def take_verdict(browser: Browser, site: str) -> bytes:
    """Return a PNG of what a known mistake is told."""
    page = browser.new_page(
        viewport={"width": WIDE[0], "height": WIDE[1]}, device_scale_factor=1.25
    )
    page.goto(f"{site}{COURSE}/exercises/{EXERCISE}/", wait_until="networkidle")
    page.get_by_label("Plain text field").check()
    page.locator("#id_code").fill((FOLDER.parents[1] / MISTAKE).read_text().split('"""')[2].strip())
    page.get_by_role("button", name="Submit", exact=True).click()
    page.locator("#verdict [data-verdict]").wait_for(timeout=PATIENCE_MS)
    page.wait_for_load_state("networkidle")
    page.locator("#bench").evaluate("(it) => it.scrollIntoView()")
    picture = page.screenshot()
    page.context.close()
    return picture


def keep(name: str, png: bytes) -> None:
    """Write a picture into the folder, and say how large it is."""
    file = FOLDER / f"{name}.webp"
    Image.open(io.BytesIO(png)).save(file, quality=80, method=6)
    print(f"{file.name}: {file.stat().st_size // 1024} KB")


def main(site: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (path, target, scheme, window) in SCREENS.items():
            keep(name, take(browser, site + path, target, scheme, window))
        keep("verdict", take_verdict(browser, site))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000")
