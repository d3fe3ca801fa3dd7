"""Instructors' pages: find, write, preview, publish and duplicate questions."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.assessment.models import Option, Question, QuestionVersion
from quizzes.assessment.presenters import question_context, source_context
from quizzes.assessment.question_drafts import (
    BLANK,
    EditableQuestion,
    bring_back_question,
    content_of,
    new_question,
    withdraw_question,
)
from quizzes.assessment.question_files import MAX_OPTIONS
from quizzes.classes.publishing.editable_kinds import editable_question
from quizzes.classes.publishing.running_work import tags_of, work_on_question
from quizzes.courses.drafts import (
    CurrentText,
    StaleRevisionError,
    current_text,
    discard,
    save_draft,
)
from quizzes.courses.models import Course
from quizzes.teaching.access import editor_of, editors_only, for_editors, for_viewers
from quizzes.teaching.addresses import address_in
from quizzes.teaching.changes import changes
from quizzes.teaching.draft_views import (
    Words,
    begin_from_form,
    own_address,
    revision_in,
    show,
    write,
)
from quizzes.teaching.forms import BLANKS, SlugForm, form_rows, missing_fields, read_content
from quizzes.teaching.lists import page_of, requested_filter
from quizzes.teaching.questions import (
    answers_to,
    changes_question,
    find_questions,
    history,
    is_generated,
    question_form_context,
    read_only_context,
    tags_to_find_by,
    tags_used,
    written_in_files,
)

ROWS = {str(number) for number in range(1, MAX_OPTIONS + 1)}


class QuestionPage:
    """The page on which questions are written."""

    template = "teaching/question.html"
    withdraw = None  # which is a page of its own
    words = Words(
        new_draft="{slug} is now a draft. It will not be asked until you publish it.",
        saved_draft="Saved as a draft. It will not be asked until you publish it.",
        plan="Saved. It will be published when its quizzes have closed for the classes working "
        "on them.",
        running_work="Saved, not published: classes are working on a quiz with this question."
        " Choose whether to publish now or after it closes.",
        plan_dropped="It will not be published when the quiz closes.",
        discarded="The question {slug} has been discarded.",
    )

    def read(self, data: QueryDict, button: str) -> dict[str, Any]:
        del button
        return read_content(data)

    def context(
        self, request: HttpRequest, thing: EditableQuestion, now: CurrentText
    ) -> dict[str, Any]:
        asked_rows = requested_filter(request, "rows")
        at_least = int(asked_rows) if asked_rows in ROWS else 0
        return question_form_context(thing, now, at_least=at_least)

    def changes_work(self, thing: EditableQuestion, content: Mapping[str, Any]) -> bool:
        return changes_question(thing.row, content)

    def publication(self, thing: EditableQuestion, source: object) -> str:
        del source
        assert thing.row.current is not None
        return f"Published: version {thing.row.current.number}{_where_asked(thing.row)}"

    def next_address(self, request: HttpRequest, thing: EditableQuestion, button: str) -> str:
        if button == "more":
            return f"{request.path}?rows={form_rows(request.POST) + 1}#more"
        return own_address(thing)


PAGE = QuestionPage()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def questions(request: HttpRequest, course: Course) -> HttpResponse:
    """Show every question of a course, with a search; POST begins a new one."""
    form = SlugForm(request.POST or None)
    if request.method == "POST":
        editors_only(request)
        blank = BLANKS.get(request.POST.get("kind", ""), BLANK)
        if begun := _begin(request, course, form, blank):
            return begun
    words, tag = requested_filter(request, "q"), requested_filter(request, "tag")
    context = {
        "page": page_of(request, find_questions(course, words, tag=tag)),
        "words": words,
        "tag": tag,
        "tags": tags_to_find_by(tags_used(course)),
        "form": form,
    }
    return render(request, "teaching/questions.html", context, status=400 if form.errors else 200)


def _begin(
    request: HttpRequest, course: Course, form: SlugForm, content: Mapping[str, Any]
) -> HttpResponse | None:
    def create(slug: str) -> Question:
        return new_question(course, slug=slug, content=content, editor=editor_of(request))

    return begin_from_form(request, course, form, create, PAGE.words)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def question(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Write one question; POST saves it as a draft, and publishes or discards it when asked."""
    if request.method == "POST":
        editors_only(request)
    row = _question(course, slug)
    if written_in_files(row):
        return _only_shown(request, row)
    thing = editable_question(row)
    if request.method == "POST":
        return write(request, PAGE, thing)
    return show(request, PAGE, thing, current_text(thing))


@require_POST
@for_editors
def preview(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show the form's question as a learner would see it, with its faults. Saves nothing."""
    checked = editable_question(_question(course, slug)).check(read_content(request.POST))
    context = {
        "preview": source_context(checked.source, course.slug),
        "missing": missing_fields(checked.problems),
    }
    return render(request, "teaching/_preview.html", context)


@require_POST
@for_editors
def duplicate(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Begin a new question with the content of this one."""
    question = _question(course, slug)
    if written_in_files(question):
        return _only_shown(request, question)
    thing, form = editable_question(question), SlugForm(request.POST)
    now = current_text(thing)
    if begun := _begin(request, course, form, now.content):
        return begun
    return show(request, PAGE, thing, now, status=400, duplicate_form=form)


@require_POST
@for_editors
def bring_back(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Make an earlier version the draft, so that the instructor can check and publish it."""
    versions = QuestionVersion.objects.select_related("question__current")
    old = get_object_or_404(versions, question__course=course, question__slug=slug, number=number)
    if written_in_files(old.question) or is_generated(old):
        messages.error(request, "Not done: this question is defined in the course’s files.")
        return redirect(address_in(course, "question", slug))
    try:
        save_draft(
            EditableQuestion(old.question),
            content=content_of(old),
            revision=revision_in(request),
            editor=editor_of(request),
        )
        messages.success(
            request, f"Version {number} is now your draft. It will be asked once you publish it."
        )
    except StaleRevisionError:
        messages.error(
            request, "Not done: somebody has changed the question in the meantime. Check it first."
        )
    return redirect(address_in(course, "question", slug))


@require_POST
@for_editors
def withdraw(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Ask a question no more; while classes have it to do, only where that was ticked."""
    question = _question(course, slug)
    is_told = question.withdrawn_at is not None or request.POST.get("running") == "yes"
    if not is_told and work_on_question(question, tags_of(question, {})):
        messages.warning(
            request,
            "Not withdrawn: classes are working on a quiz with this question. They are listed above"
            " the button: tick “Withdraw it anyway” there if you are sure.",
        )
    elif withdraw_question(question=question, by=editor_of(request)):
        messages.success(request, "Withdrawn: it is no longer asked. Existing answers are kept.")
    else:
        messages.info(request, "It is already withdrawn.")
    return redirect(address_in(course, "question", slug))


@require_POST
@for_editors
def restore(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Let a withdrawn question be asked again."""
    if bring_back_question(question=_question(course, slug), by=editor_of(request)):
        messages.success(request, "Restored: its quizzes will include it again.")
    else:
        messages.info(request, "It was not withdrawn.")
    return redirect(address_in(course, "question", slug))


def _question(course: Course, slug: str) -> Question:
    questions = Question.objects.select_related("current", "course")
    return get_object_or_404(questions, course=course, slug=slug)


def _only_shown(request: HttpRequest, question: Question) -> HttpResponse:
    """Show a question of a kind that this form cannot hold; a POST only discards its draft.

    A draft exists if the question was begun here before the files brought a program.
    """
    if request.POST.get("do") == "discard":
        try:
            discard(EditableQuestion(question), revision=revision_in(request))
            messages.success(request, "The draft has been discarded.")
            return redirect(address_in(question.course, "question", question.slug))
        except StaleRevisionError:
            messages.error(
                request, "Not done: somebody has changed it in the meantime. Check it first."
            )
    status = 409 if request.method == "POST" else 200
    return render(
        request, "teaching/question_shown.html", read_only_context(question), status=status
    )


def _where_asked(question: Question) -> str:
    """Return whether learners are asked a question: in a quiz, or in a lesson that names it."""
    if question.withdrawn_at:
        return ". The question is withdrawn: restore it so that it can be asked."
    if question.loaded_hash or question.places.exists():
        return " will be asked from now on."
    return ". It is not in any quiz yet: add it to one under Quizzes."


@never_cache
@require_safe
@for_viewers
def version(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Show one version as learners saw it, with the reasons, and its changes."""
    question = _question(course, slug)
    versions = history(question)
    fixed = Prefetch("options", Option.objects.filter(instance=None))
    found = get_object_or_404(question.versions.prefetch_related(fixed), number=number)
    older = next((row.version for row in versions if row.version.number < number), None)
    order = [option.pk for option in found.options.all()]
    context = {
        "question": question,
        "version": found,
        "shown": question_context(found, number=1, name="shown", order=order),
        "versions": versions,
        "revision": current_text(EditableQuestion(question)).revision,
        "older": older,
        "in_files": written_in_files(question) or is_generated(found),
        "answers": answers_to(course, found),
        "changes": changes(content_of(older), content_of(found)) if older else [],
    }
    return render(request, "teaching/version.html", context)
