"""Instructors' pages: the exercises with what learners did, and how one proves itself."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.exercises.models import Exercise
from quizzes.exercises.publishing import newest_refused, verify_again
from quizzes.learners.roles import instructors_only
from quizzes.teaching.class_work import Tried, tried
from quizzes.teaching.proof import proof_shown


@never_cache
@require_safe
@instructors_only
def exercises(request: HttpRequest) -> HttpResponse:
    """Every exercise: is it verified, how strong are its cases, how does the class do."""
    found = Exercise.objects.filter(current__isnull=False).select_related("current")
    work = tried()
    rows = [
        {
            "exercise": one,
            "version": one.current,
            "proof": proof_shown(one.current.proof, {}) if one.current else None,
            "work": work.get(one.slug, Tried()),
        }
        for one in found.defer("current__files", "current__outline")
    ]
    return render(request, "teaching/exercises.html", {"rows": rows})


@never_cache
@require_safe
@instructors_only
def exercise(request: HttpRequest, slug: str) -> HttpResponse:
    """One exercise: mutation score, matrix of cases and known mistakes, weakest case, lint."""
    rows = Exercise.objects.select_related("current").defer("current__files", "current__outline")
    found = get_object_or_404(rows, slug=slug, current__isnull=False)
    work = tried([slug]).get(slug, Tried())
    made = {one.slug: (one.learners, one.submissions) for one in work.mistakes}
    context = {
        "exercise": found,
        "version": found.current,
        "refused": newest_refused(exercise=found),
        "work": work,
        "proof": proof_shown(found.current.proof if found.current else None, made),
    }
    return render(request, "teaching/exercise.html", context)


@require_POST
@instructors_only
def verify_anew(request: HttpRequest, slug: str) -> HttpResponse:
    """Have a refused version verified once more, and go back to the exercise."""
    found = get_object_or_404(Exercise, slug=slug, current__isnull=False)
    refused = newest_refused(exercise=found)
    if refused is not None and verify_again(version=refused):
        messages.success(request, f"Version {refused.number} waits to be verified again.")
    else:
        messages.info(request, "No version of this exercise is refused.")
    return redirect("teaching:exercise", slug)
