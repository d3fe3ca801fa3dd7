"""The search of a course: a page, whose list the dialog of every page shows as well."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.study.search_index import LONGEST, search_index


@require_safe
@in_course
def search(request: HttpRequest, course: Course) -> HttpResponse:
    """List what fits `?q=`; without it, show the empty form."""
    query = " ".join(request.GET.get("q", "")[:LONGEST].split())
    index = search_index(course) if query else None
    hits = index.hits(query) if index else []
    near = index.nearest(query) if index and not hits else ""
    return render(request, "study/search.html", {"query": query, "hits": hits, "near": near})
