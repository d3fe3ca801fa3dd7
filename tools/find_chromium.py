"""Find a Chromium or Chrome that tests can drive; print its path, or exit 1.

Looked for: the system's own, then the one that `python -m playwright install chromium` fetched.
A snap (Ubuntu's `chromium`) is passed over: it cannot be driven from outside.
"""

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """Return the path of a browser that can be driven, or None."""
    for name in NAMES:
        path = shutil.which(name)
        if path and not is_snap(Path(path)):
            return path
    return fetched_by_playwright()


def is_snap(path: Path) -> bool:
    """Say whether `path` leads into a snap, itself or as a script that calls one."""
    if "/snap/" in str(path.resolve()) or path.resolve().name == "snap":
        return True
    with path.open("rb") as file:
        start = file.read(4096)
    return start.startswith(b"#!") and b"/snap/bin" in start


def fetched_by_playwright() -> str | None:
    """Return the newest Chromium that Playwright fetched into this user's cache, or None."""
    cache = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    found = sorted(Path(cache).glob("chromium-*/chrome-linux*/chrome"))
    return str(found[-1]) if found else None


if __name__ == "__main__":
    found = find_chromium()
    print(found or "no Chromium or Chrome that can be driven")
    sys.exit(0 if found else 1)
