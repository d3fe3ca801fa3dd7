"""A browser is named from what it says of itself; what it does not say is not guessed."""

import pytest

from quizzes.learners.sessions.browser_names import browser_name

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
GALAXY = "Mozilla/5.0 (Linux; Android 14; SM-S918B)"
# As the browsers send them.
AGENTS = {
    f"Mozilla/5.0 (X11; Linux x86_64) {WEBKIT} Chrome/141.0.0.0 Safari/537.36": "Chrome on Linux",
    f"{WINDOWS} {WEBKIT} Chrome/141.0.0.0 Safari/537.36": "Chrome on Windows",
    f"{MAC} {WEBKIT} Chrome/141.0.0.0 Safari/537.36": "Chrome on macOS",
    f"Mozilla/5.0 (Linux; Android 10; K) {WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36": (
        "Chrome on Android"
    ),
    f"{IPHONE} (KHTML, like Gecko) CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1": (
        "Chrome on iPhone"
    ),
    f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {WEBKIT} Chrome/141.0.0.0 Safari/537.36": (
        "Chrome on ChromeOS"
    ),
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0": (
        "Firefox on Windows"
    ),
    "Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0": "Firefox on Android",
    f"{IPHONE} (KHTML, like Gecko) FxiOS/144.0 Mobile/15E148 Safari/605.1.15": (
        "Firefox on iPhone"
    ),
    f"{MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15": (
        "Safari on macOS"
    ),
    f"{IPHONE} (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1": "Safari on iPhone",
    "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/12.1.2 Mobile/15E148 Safari/604.1": "Safari on iPad",
    f"{WINDOWS} {WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0": "Edge on Windows",
    f"{IPHONE} (KHTML, like Gecko) Version/18.0 EdgiOS/141.0 Mobile/15E148 Safari/605.1.15": (
        "Edge on iPhone"
    ),
    f"{WINDOWS} {WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0": "Opera on Windows",
    f"{GALAXY} {WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": (
        "Samsung Internet on Android"
    ),
    # The view of pages inside another app names no browser.
    f"{IPHONE} (KHTML, like Gecko) Mobile/15E148": "Unknown browser on iPhone",
    "curl/8.14.1": "Unknown browser",
    "python-requests/2.32.5": "Unknown browser",
    "": "Unknown browser",
    "<script>alert(1)</script>": "Unknown browser",
}


@pytest.mark.parametrize(("agent", "name"), AGENTS.items(), ids=list(AGENTS.values()))
def test_browser_is_named_by_its_user_agent(agent: str, name: str) -> None:
    assert browser_name(agent) == name
