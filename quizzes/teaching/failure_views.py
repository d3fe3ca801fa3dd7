"""The site's own failures, without names of learners: editors of a course grade them again."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from quizzes.courses.models import Course
from quizzes.exercises.services import our_failures
from quizzes.teaching.access import back_or, for_editors
from quizzes.teaching.addresses import address_in
from quizzes.teaching.people.submission_views import grade


@require_POST
@for_editors
def grade_failure(request: HttpRequest, course: Course, number: int) -> HttpResponse:
    """Put a submission that ended in our failure back into the queue."""
    rows = our_failures().filter(exercise_version__exercise__course=course)
    grade(request, get_object_or_404(rows, pk=number))
    return back_or(request, address_in(course, "course"))
