"""Instructors' pages: one version of a question, and what changed in it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.drafting import content_of
from quizzes.assessment.models import Question
from quizzes.assessment.showing import question_shown
from quizzes.learners.roles import instructors_only
from quizzes.teaching.changes import changes
from quizzes.teaching.questions import answers_to, history


@never_cache
@require_safe
@instructors_only
def version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one version as learners met it, with the reasons, and what changed before it."""
    question = get_object_or_404(Question, slug=slug)
    versions = history(question)
    found = get_object_or_404(question.versions.prefetch_related("options"), number=number)
    older = next((one for one in versions if one.number < number), None)
    order = [option.pk for option in found.options.all()]
    context = {
        "question": question,
        "version": found,
        "shown": question_shown(found, number=1, name="shown", order=order, choice=None),
        "versions": versions,
        "older": older,
        "answers": answers_to(found),
        "changes": changes(content_of(older), content_of(found)) if older else [],
    }
    return render(request, "teaching/version.html", context)
