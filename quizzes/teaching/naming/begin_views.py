"""The buttons of a week's unnamed submissions: the draft that they begin."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from quizzes.classes.models import Cohort
from quizzes.classes.week.calendar import NotAWeekError, Week
from quizzes.classes.week.signs import read_signs
from quizzes.classes.week.unnamed import group_of
from quizzes.courses.roles import role_in
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.naming.anonymous_code import anonymous_code
from quizzes.exercises.naming.drafts import (
    DraftRefusedError,
    begin_draft,
    current_definition,
    fields_in,
    vocabulary_of,
)
from quizzes.exercises.naming.variant_file import VariantFields
from quizzes.teaching.access import editor_of, for_class_staff
from quizzes.teaching.addresses import class_address
from quizzes.teaching.naming.draft_views import KINDS, draft_address
from quizzes.teaching.week.week_views import people_of, students_by_learner

NO_CODE = (
    "The newest code could not be taken over without what its author wrote in it. Write code that"
    " makes the mistake."
)


@require_POST
@for_class_staff
def begin(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Open the draft of a name for submissions of a week, begun with the newest one's code."""
    role = role_in(cohort.course, request.user)
    if role is None:
        raise Http404("only people with a role in the course can name its mistakes")
    if not role.may_edit:
        raise PermissionDenied("only editors of the course can name its mistakes")
    kind = request.POST.get("kind", "mistake")
    try:
        week = Week.named(request.POST.get("week", ""), cohort.zone)
    except NotAWeekError as error:
        return _refused(str(error))
    if kind not in KINDS:
        return _refused(f"kind={kind[:20]}: must be one of {', '.join(KINDS)}")
    members = students_by_learner(people_of(cohort))
    signs = read_signs(cohort, members, week.previous.begins_at)
    group = group_of(
        signs, week, request.POST.get("exercise", ""), request.POST.get("fingerprint", "")
    )
    here = f"{class_address(cohort)}?week={week.name}"
    if group is None:
        messages.error(
            request, "Nothing was begun: these submissions have been graded again since then."
        )
        return redirect(here)
    rows = Exercise.objects.select_related("current", "course")
    exercise = rows.get(course=cohort.course, slug=group.exercise)
    try:
        definition = current_definition(exercise)
        sample = Submission.objects.only("code").get(pk=group.newest.pk)
        code = anonymous_code(sample.code, vocabulary_of(definition))
        draft = begin_draft(
            exercise=exercise,
            fingerprint=group.fingerprint,
            fields=VariantFields(step=definition.step or "", kind=kind, code=code),
            by=editor_of(request),
            sample=sample,
        )
    except DraftRefusedError as error:
        messages.error(request, f"Nothing was begun. {error}")
        return redirect(here)
    if not fields_in(draft).code.strip():
        messages.warning(request, NO_CODE)
    return redirect(draft_address(draft, cohort))


def _refused(words: str) -> HttpResponse:
    return HttpResponseBadRequest(words, content_type="text/plain; charset=utf-8")
