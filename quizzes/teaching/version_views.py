"""Instructors' pages: one version of a question, and what changed in it."""

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.drafting import content_of
from quizzes.assessment.models import Option, Question
from quizzes.assessment.showing import question_shown
from quizzes.learners.roles import instructors_only
from quizzes.teaching.changes import changes
from quizzes.teaching.questions import answers_to, history, made_by_program, written_in_files


@never_cache
@require_safe
@instructors_only
def version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one version as learners met it, with the reasons, and what changed before it."""
    question = get_object_or_404(Question.objects.select_related("current"), slug=slug)
    versions = history(question)
    fixed = Prefetch("options", Option.objects.filter(instance=None))
    found = get_object_or_404(question.versions.prefetch_related(fixed), number=number)
    older = next((one for one in versions if one.number < number), None)
    order = [option.pk for option in found.options.all()]
    context = {
        "question": question,
        "version": found,
        "shown": question_shown(found, number=1, name="shown", order=order, choice=None),
        "versions": versions,
        "older": older,
        "in_files": written_in_files(question) or made_by_program(found),
        "answers": answers_to(found),
        "changes": changes(content_of(older), content_of(found)) if older else [],
    }
    return render(request, "teaching/version.html", context)
