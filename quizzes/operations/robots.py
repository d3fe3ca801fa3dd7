"""`/robots.txt`: what programs that collect pages should leave alone."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

# What is somebody's own, or for staff; and pictures, of which there are more than anybody reads:
# every set of values is one, and each costs processor time (`limits.SECONDS`).
PRIVATE = (
    "/accounts/",
    "/admin/",
    "/class/",
    "/invited/",
    "/join/",
    "/me/",
    "/messages/",
    "/teach/",
)
COSTLY = ("/explore/?", "/figures/")
TEXT = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in (*PRIVATE, *COSTLY))


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Answer with the same rules for all programs. Lessons and courses may be found."""
    answer = HttpResponse(TEXT, content_type="text/plain; charset=utf-8")
    answer["Cache-Control"] = "public, max-age=86400"
    return answer
