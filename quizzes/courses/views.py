"""The list of courses, and the short addresses that lead into the home course."""

from collections.abc import Callable

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import redirect, render
from django.utils.encoding import escape_uri_path
from django.views.decorators.http import require_safe

from quizzes.courses.addresses import course_address
from quizzes.courses.current_course import home_course
from quizzes.courses.models import Course


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show every listed course, with what it has."""
    courses = Course.objects.filter(is_listed=True).annotate(
        lessons_counted=_counted("lessons"),
        quizzes_counted=_counted("quizzes", quizzes__is_published=True),
        exercises_counted=_counted("exercises", exercises__current__isnull=False),
    )
    return render(request, "courses/index.html", {"courses": courses})


def _counted(things: str, **filters: object) -> Count:
    there = Q(**{f"{things}__withdrawn_at": None}, **filters)
    return Count(things, filter=there, distinct=True)


def in_home_course(
    request: HttpRequest,
    rest: str = "",
    *,
    within: str,
    root: Callable[[str], str] = course_address,
) -> HttpResponse:
    """Lead a short address, which names no course, into the home course, for ever.

    `root` gives the address under which a course's pages stand, by its slug. With 301 for a page
    that is read and 308 for a form, which a browser then sends again as it is: a tab that was open
    while the site got several courses loses no answer. A site without courses says so on their
    list, which is no answer for ever.
    """
    course, is_read = home_course(), request.method in {"GET", "HEAD"}
    if course is None and is_read:
        return redirect("courses:index")
    if course is None:
        raise Http404("there is no course on this site")
    asked = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    # The rest was decoded: a question mark within it must not begin the query.
    address = f"{root(course.slug)}{within}/{escape_uri_path(rest)}"
    answer = HttpResponsePermanentRedirect(f"{address}{asked}", preserve_request=not is_read)
    answer["Cache-Control"] = "no-cache"  # another course may be the home course one day
    return answer
