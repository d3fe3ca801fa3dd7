"""Take README's pictures from a running site: `take_screens.py http://127.0.0.1:8000`.

The site needs a worker that grades, and is as new as possible: `make run` with ORDINAL_VAR naming
an empty folder. Look at docs/screens/*.webp before committing them.
"""

import io
import sys
from pathlib import Path

from find_chromium import find_chromium
from PIL import Image
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screens"
GRADING_MS = 60_000


def show_home(page: Page, site: str) -> None:
    """Open the start page as a newcomer finds it."""
    page.goto(site, wait_until="networkidle")


def show_verdict(page: Page, site: str) -> None:
    """Check the start page's program, open it in the editor, and check it there."""
    page.goto(site, wait_until="networkidle")
    page.get_by_role("button", name="Check it").click()
    page.get_by_role("link", name="Repair it yourself").click(timeout=GRADING_MS)
    page.wait_for_timeout(1100)  # one Check in a second
    page.get_by_role("button", name="Check", exact=True).click()
    page.locator("[data-verdict]").wait_for(timeout=GRADING_MS)
    page.wait_for_load_state("networkidle")
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")


SCREENS = {
    "home.webp": (show_home, {"width": 1200, "height": 760}),
    "verdict.webp": (show_verdict, {"width": 1280, "height": 1040}),
}


def main(site: str) -> None:
    """Write the pictures, and say how large they are."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (show, window) in SCREENS.items():
            page = browser.new_page(
                viewport=window,  # type: ignore[arg-type]
                color_scheme="light",
                reduced_motion="reduce",
                device_scale_factor=1.25,
            )
            show(page, site)
            file = FOLDER / name
            Image.open(io.BytesIO(page.screenshot())).save(file, quality=80, method=6)
            print(f"{name}: {file.stat().st_size // 1024} KB")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
