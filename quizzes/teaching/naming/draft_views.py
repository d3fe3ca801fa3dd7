"""The page of a known mistake in the making: write, prove, publish, grade the group again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.authoring.loading import wait_for_other_loads
from quizzes.classes.access import role_in_class
from quizzes.classes.models import Cohort
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, MistakeDraft
from quizzes.exercises.naming import drafts
from quizzes.exercises.naming.anonymous_code import remains_of
from quizzes.exercises.naming.drafts import DraftChangedError, DraftRefusedError
from quizzes.exercises.naming.status import DraftStatus, group_status, status_of
from quizzes.exercises.naming.variant_file import VariantFields, can_be_stored, faults_of, text_of
from quizzes.exercises.proofs.proof_queue import number_before
from quizzes.exercises.services import grading_state
from quizzes.grader.definitions import ExerciseDefinition
from quizzes.lessons.services import step_paths
from quizzes.teaching.access import editor_of, editors_only, for_viewers
from quizzes.teaching.addresses import address_in, class_address
from quizzes.teaching.changes import Change, pieces
from quizzes.teaching.naming.patch import patch_of

NAMES = ("does", "should", "breaks", "step", "kind", "code")
CONFIRM = "confirmed"
NOT_CONFIRMED = "Tick this once you have read the code."
KINDS = ("mistake", "convention")
BUTTONS = ("save", "prove", "publish", "stop", "discard")
SAVED, NOT_SAVED = "Saved, not proved", "Not saved"
Faults = Mapping[str, Sequence[str]]


def draft_address(draft: MistakeDraft, cohort: Cohort | None = None, page: str = "") -> str:
    """Return the address of a draft's page; `cohort`: the class from which it was opened."""
    course, slug = draft.exercise.course, draft.exercise.slug
    query = f"?{urlencode({'class': cohort.slug})}" if cohort else ""
    return address_in(course, page or "mistake-draft", slug, draft.pk) + query


def _address_next_to(draft: MistakeDraft, other: MistakeDraft, cohort: Cohort | None) -> str:
    other.exercise = draft.exercise
    return draft_address(other, cohort)


def form_name(draft: MistakeDraft) -> str:
    """Return the name under which a browser keeps what is typed into a draft's form."""
    return f"mistake/{draft.exercise.course.slug}/{draft.exercise.slug}/{draft.pk}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def mistake_draft(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Show a draft with the state of its proof; POST saves, proves, publishes or discards it."""
    button = request.POST.get("do", "save")
    if request.method == "POST":
        editors_only(request)
        if button in ("save", "prove"):
            return _write(request, course, slug, number, prove=button == "prove")
    draft = _draft(course, slug, number)
    if request.method != "POST":
        _confirmed_only(request, draft)
        return _page(request, draft, drafts.fields_in(draft), draft.mark)
    cohort = _class_in(request, course)
    try:
        done = _do(request, draft, button)
    except DraftRefusedError as error:
        messages.error(request, f"Not done. {error}")
        return redirect(draft_address(draft, cohort))
    except DraftChangedError as error:
        messages.error(request, "Not done: somebody has changed this draft since you opened it.")
        return redirect(draft_address(error.draft, cohort))
    messages.success(request, done)
    if button == "discard":
        back = class_address(cohort) if cohort else address_in(course, "exercise", slug)
        return redirect(back)
    return redirect(draft_address(draft, cohort))


@never_cache
@require_safe
@for_viewers
def patch(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Answer with a patch that adds the draft's file to the course's folder."""
    draft = _draft(course, slug, number)
    _confirmed_only(request, draft)
    name = draft.path.removeprefix("wrong/").removesuffix(".py")
    headers = {"Content-Disposition": f'attachment; filename="{name}.patch"'}
    return HttpResponse(patch_of(draft), content_type="text/x-diff; charset=utf-8", headers=headers)


def _draft(course: Course, slug: str, number: int) -> MistakeDraft:
    rows = MistakeDraft.objects.select_related(
        "exercise__course", "exercise__current", "edited_by", "published", "sample"
    )
    return get_object_or_404(rows, pk=number, exercise__course=course, exercise__slug=slug)


def _draft_or_lost(course: Course, slug: str, number: int) -> MistakeDraft:
    """Return a draft, an empty one where it has been deleted: for the page with what was typed."""
    try:
        return _draft(course, slug, number)
    except Http404:
        rows = Exercise.objects.select_related("course", "current")
        exercise = get_object_or_404(rows, course=course, slug=slug)
        return MistakeDraft(pk=number, exercise=exercise, files={"wrong/unnamed.py": ""})


def _confirmed_only(request: HttpRequest, draft: MistakeDraft) -> None:
    """Let editors alone read code until one of them has: nobody knows what a student wrote in it.

    A proof is asked for with that confirmation; whatever is written later takes it back.
    """
    if draft.state == drafts.State.EDITED:
        editors_only(request)


def _class_in(request: HttpRequest, course: Course) -> Cohort | None:
    """Return the class that the address names, for links; None where they do not teach it."""
    name = str(request.POST.get("class", request.GET.get("class", "")))[:60]
    cohort = Cohort.objects.filter(course=course, slug=name).first() if name else None
    role = role_in_class(cohort, request.user) if cohort else None
    return cohort if role and role.teaches else None


def _do(request: HttpRequest, draft: MistakeDraft, button: str) -> str:
    """Do what a button says that saves nothing; return words about it."""
    mark = request.POST.get("mark", "")
    if button == "publish":
        with transaction.atomic():
            wait_for_other_loads()
            version = drafts.publish_draft(draft=draft, mark=mark, by=editor_of(request))
        return f"Published as version {version.number}. It is verified before learners get it."
    if button == "stop":
        drafts.stop_proof(draft=draft)
        return "Stopped. You can edit the draft again."
    if button == "discard":
        drafts.discard_draft(draft=draft, mark=mark, by=editor_of(request))
        return "The draft has been discarded."
    raise DraftRefusedError(f"do={button!r:.40}: must be one of {', '.join(BUTTONS)}.")


def _write(
    request: HttpRequest, course: Course, slug: str, number: int, *, prove: bool
) -> HttpResponse:
    """Save what was typed, and have it proved if it has no fault that can be seen.

    Whatever happened to the draft meanwhile, the answer has what was typed.
    """
    typed = VariantFields(**{name: request.POST.get(name, "") for name in NAMES})
    if typed.kind not in KINDS:
        typed = replace(typed, kind=KINDS[0])
    mark, by = request.POST.get("mark", ""), editor_of(request)
    draft = _draft_or_lost(course, slug, number)
    cohort = _class_in(request, course)
    try:
        definition = drafts.current_definition(draft.exercise)
        faults = dict(_faults(draft, definition, typed))
        if prove and CONFIRM not in request.POST:
            faults[CONFIRM] = [NOT_CONFIRMED]
        if not can_be_stored(typed):
            return _page(request, draft, typed, mark, faults=faults, outcome=NOT_SAVED, status=400)
        prove = prove and not faults
        saved = drafts.save_draft(draft=draft, fields=typed, mark=mark, by=by, prove=prove)
    except DraftRefusedError as error:
        draft = _draft_or_lost(course, slug, number)
        return _page(request, draft, typed, mark, refused=str(error), status=409)
    except DraftChangedError as error:
        changed = error.draft
        return _page(request, changed, typed, changed.mark, stale=True, status=409)
    if faults:
        return _page(request, saved, typed, saved.mark, faults=faults, outcome=SAVED, status=400)
    words = "" if prove else " Learners do not see it until it is published."
    messages.success(request, f"Saved.{words}", extra_tags=form_name(saved))
    return redirect(draft_address(saved, cohort))


def _faults(draft: MistakeDraft, definition: ExerciseDefinition, fields: VariantFields) -> Faults:
    return faults_of(
        draft.path,
        fields,
        name=definition.name,
        clauses=drafts.clauses_of(definition),
        steps=step_paths(draft.exercise.course),
    )


def _page(
    request: HttpRequest,
    draft: MistakeDraft,
    fields: VariantFields,
    mark: str,
    *,
    faults: Faults | None = None,
    outcome: str = "",
    stale: bool = False,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show a draft with these fields.

    `outcome`: what became of fields that have faults; `stale`: the draft has another text by now;
    `refused`: why it can no longer be saved.
    """
    course, exercise = draft.exercise.course, draft.exercise
    cohort = _class_in(request, course)
    definition = drafts.readable_definition(exercise)
    clauses = drafts.clauses_of(definition) if definition else ()
    vocabulary = drafts.vocabulary_of(definition) if definition else ""
    steps, draft_status = step_paths(course), status_of(draft)
    waiting = draft_status is DraftStatus.WAITING
    is_replaced = draft_status is DraftStatus.REPLACED
    replacement = drafts.replacement_of(draft) if is_replaced else None
    unsaved = stale or bool(refused) or outcome == NOT_SAVED
    context: dict[str, Any] = {
        "draft": draft,
        "exercise": exercise,
        "version": exercise.current,
        "cohort": cohort,
        "fields": fields,
        "faults": faults or {},
        "mark": mark,
        "clauses": clauses,
        "other_clause": fields.breaks not in {clause.name for clause in clauses},
        "steps": steps,
        "other_step": fields.step not in steps,
        "status": draft_status,
        "group": group_status(draft),
        "replacement": _address_next_to(draft, replacement, cohort) if replacement else "",
        "blocked": drafts.current_problem(exercise),
        "waiting": waiting,
        "before": number_before(draft) if waiting else 0,
        "grading": grading_state() if waiting else None,
        "newer": drafts.newer_version(exercise) if draft_status is DraftStatus.PROVED else None,
        "stale": stale,
        "refused": refused,
        "outcome": outcome,
        "unsaved": unsaved,
        "writable": unsaved or not (draft.state == drafts.State.WAITING or draft.published),
        "form_name": form_name(draft),
        "remains": remains_of(fields.code, vocabulary),
        "changes": _changes(draft.text, text_of(fields, clauses)) if stale else [],
        "confirmed": CONFIRM in request.POST,
        "address": draft_address(draft, cohort),
        "patch": draft_address(draft, page="mistake-patch"),
        "regrade": address_in(course, "regrade_exercise", exercise.slug)
        + (f"?{urlencode({'class': cohort.slug})}" if cohort else ""),
    }
    return render(request, "teaching/naming/draft.html", context, status=status)


def _changes(theirs: str, yours: str) -> list[Change]:
    return [Change("From the saved text to yours", tuple(pieces(theirs, yours)))]
