"""A class's results, question by question: of its students alone."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.classes.access import students_of
from quizzes.classes.models import Cohort
from quizzes.teaching.access import for_class_staff
from quizzes.teaching.course_results import results_context


@never_cache
@require_safe
@for_class_staff
def results(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show every question that students of the class were asked, hardest first."""
    context = results_context(request, cohort.course, students_of(cohort))
    return render(request, "teaching/class.html", {**context, "cohort": cohort})
