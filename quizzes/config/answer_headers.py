"""Headers of every answer: nobody but this browser keeps a page, and no page uses a device."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

PERSONAL = "private, no-cache"  # kept by this browser, and asked for again each time
SAID = ("public", "private", "no-store")
# What a page or a script of somebody else's in it could ask for; we need none of it.
DEVICES = (
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
PERMISSIONS = ", ".join(f"{device}=()" for device in DEVICES)


class AnswerHeadersMiddleware:
    """Every page shows whose session it is, so each is private unless it says otherwise."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        # A file asks for no device, and has no page in it that could. With this header the 55 files
        # of a step weigh 20 kB more, 0.3 s over slow 3G (benchmarks/slow_line.py).
        if not request.path.startswith(settings.STATIC_URL):
            response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        said = response.headers.get("Cache-Control", "")
        if not any(word in said for word in SAID):
            response["Cache-Control"] = PERSONAL if said in {"", "no-cache"} else f"private, {said}"
        return response
