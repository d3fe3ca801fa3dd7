"""Send a picture that an author brought."""

from pathlib import PurePosixPath

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.lessons.models import Picture
from quizzes.lessons.pictures.header import SUFFIXES

HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",  # another picture has another address
    "X-Content-Type-Options": "nosniff",
    "Content-Disposition": "inline",
}


@require_safe
@in_course
def picture(request: HttpRequest, course: Course, version: str, file: str) -> HttpResponse:
    """Send a picture to everybody who has its address.

    Courses are public, and so are their pictures. The address has a part of the hash: so nobody
    finds one by guessing that no lesson shows yet.
    """
    del request
    name = PurePosixPath(file)
    there = Picture.objects.filter(course=course, slug=name.stem, sha256__startswith=version)
    if len(version) < 16:
        raise Http404(f"there is no picture {file} {version}")
    row = get_object_or_404(there)
    if name.suffix != SUFFIXES[row.kind]:
        raise Http404(f"{row.slug} is no {name.suffix}")
    return HttpResponse(bytes(row.data), content_type=f"image/{row.kind}", headers=HEADERS)
