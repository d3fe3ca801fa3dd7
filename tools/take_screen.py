"""Take README's picture of the home page from a running site: `take_screen.py http://127.0.0.1:8000`.

Look at docs/screens/home.webp before committing it.
"""

import io
import sys
from pathlib import Path

from find_chromium import find_chromium
from PIL import Image
from playwright.sync_api import sync_playwright

FILE = Path(__file__).resolve().parents[1] / "docs" / "screens" / "home.webp"


def main(site: str) -> None:
    """Write the picture, and say how large it is."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(
            viewport={"width": 1200, "height": 760}, color_scheme="light", device_scale_factor=1.25
        )
        page.goto(site, wait_until="networkidle")
        png = page.screenshot()
        browser.close()
    Image.open(io.BytesIO(png)).save(FILE, quality=80, method=6)
    print(f"{FILE.name}: {FILE.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
