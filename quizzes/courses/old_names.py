"""Where something is that has another name by now. Asked only of a page that was not found."""

from django.http import HttpRequest, HttpResponsePermanentRedirect

from quizzes.courses.addresses import Thing, address_of_another, thing_asked_for
from quizzes.courses.models import Course, OldName

Kind = OldName.Kind


def new_names(course: Course, kind: str, names: set[str]) -> dict[str, str]:
    """Return the names that things have now, by those they had. One query, of steps two."""
    found = _known(course, kind, names)
    if kind != Kind.STEP:
        return found
    # A step of a lesson that was renamed: its lesson leads on, then perhaps the step itself.
    lessons = _known(course, Kind.LESSON, {name.partition("/")[0] for name in names})
    moved = {}
    for name in names - found.keys():
        lesson, _, step = name.partition("/")
        if lesson in lessons:
            moved[name] = f"{lessons[lesson]}/{step}"
    again = _known(course, kind, set(moved.values())) if moved else {}
    return found | {old: again.get(new, new) for old, new in moved.items()}


def _known(course: Course, kind: str, names: set[str]) -> dict[str, str]:
    rows = OldName.objects.filter(course=course, kind=kind, old__in=names)
    return dict(rows.values_list("old", "new"))


def moved(request: HttpRequest, course: Course) -> HttpResponsePermanentRedirect | None:
    """Lead an address with an old name to the same page under the new one; None for no old name.

    With 301 for a page that is read and 308 for a form, which then loses nothing.
    """
    match = request.resolver_match
    asked = thing_asked_for(match) if match is not None else None
    if match is None or asked is None:
        return None
    new = new_names(course, asked.kind, {asked.name}).get(asked.name)
    if new is None:
        return None
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    address = address_of_another(match, Thing(asked.kind, new))
    is_read = request.method in {"GET", "HEAD"}
    answer = HttpResponsePermanentRedirect(f"{address}{query}", preserve_request=not is_read)
    answer["Cache-Control"] = "no-cache"  # something else may be given this name one day
    return answer
