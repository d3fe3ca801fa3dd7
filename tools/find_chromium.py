"""Find a Chromium or Chrome that tests can drive; print its path, or exit 1.

Looked for: the system's own, then the one that `python -m playwright install chromium` fetched.
A snap (Ubuntu's `chromium`) is passed over: it cannot be driven from outside.

Tests take the headless shell where there is one: the same engine without the windows around it,
which for the journeys of the editor takes 36 seconds of the processor where Chromium takes 53.
Benchmarks take Chromium, as a reader has it.
"""

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELL = "chromium-headless-shell"


def find_chromium() -> str | None:
    """Return the path of a browser, else of a headless shell, that can be driven, or None."""
    return _whole_browser() or _headless_shell()


def find_headless_chromium() -> str | None:
    """Return the path of a headless shell, else of a browser, that can be driven, or None."""
    return _headless_shell() or _whole_browser()


def _whole_browser() -> str | None:
    for name in NAMES:
        path = shutil.which(name)
        if path and not is_snap(Path(path)):
            return path
    return fetched_by_playwright("chromium-*/chrome-linux*/chrome")


def _headless_shell() -> str | None:
    fetched = "chromium_headless_shell-*/chrome-*/*headless*shell"
    return shutil.which(SHELL) or fetched_by_playwright(fetched)


def is_snap(path: Path) -> bool:
    """Say whether `path` leads into a snap, itself or as a script that calls one."""
    if "/snap/" in str(path.resolve()) or path.resolve().name == "snap":
        return True
    with path.open("rb") as file:
        start = file.read(4096)
    return start.startswith(b"#!") and b"/snap/bin" in start


def fetched_by_playwright(pattern: str) -> str | None:
    """Return the newest program of a pattern that Playwright fetched for this user, or None."""
    cache = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    found = sorted(Path(cache).glob(pattern))
    return str(found[-1]) if found else None


if __name__ == "__main__":
    found = find_headless_chromium()
    print(found or "no Chromium or Chrome that can be driven")
    sys.exit(0 if found else 1)
