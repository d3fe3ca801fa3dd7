"""A browser in words, "Chrome on Linux", from what it says of itself.

Browsers name each other to be served the same pages: Edge says Chrome and Safari too. So the order
decides, the most special first. What says none of these names is not guessed: "Unknown browser".
A tablet that asks for pages of a computer says that it is one.
"""

import re

UNKNOWN = "Unknown browser"
_BROWSERS = (
    (r"Edg(?:e|A|iOS)?/", "Edge"),
    (r"OPR/|OPT/|Opera[/ ]", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Vivaldi/", "Vivaldi"),
    (r"YaBrowser/", "Yandex Browser"),
    (r"DuckDuckGo/|Ddg/", "DuckDuckGo"),
    (r"(?:Firefox|FxiOS)/", "Firefox"),
    (r"(?:Chrome|HeadlessChrome|CriOS)/", "Chrome"),
    (r"Version/[\d.]+ .*Safari/", "Safari"),
)
_SYSTEMS = (
    (r"iPhone|iPod", "iPhone"),
    (r"iPad", "iPad"),
    (r"Android", "Android"),
    (r"CrOS", "ChromeOS"),
    (r"Windows", "Windows"),
    (r"Macintosh|Mac OS X", "macOS"),
    (r"Linux|X11", "Linux"),
)


def browser_name(user_agent: str) -> str:
    """Return the browser and the system of a user agent in words, as far as it names them."""
    browser = _first(_BROWSERS, user_agent) or UNKNOWN
    system = _first(_SYSTEMS, user_agent)
    return f"{browser} on {system}" if system else browser


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for sign, name in names if re.search(sign, user_agent)), "")
