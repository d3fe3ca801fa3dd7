"""Instructors' pages: find, write, preview, publish and duplicate questions."""

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.assessment.models import Option, Question, QuestionVersion
from quizzes.assessment.presenters import question_context, source_context
from quizzes.assessment.question_drafts import (
    BLANK,
    bring_back_question,
    check,
    content_of,
    discard_draft,
    editable,
    is_storable,
    new_question,
    publish,
    publish_later,
    save_draft,
    withdraw_question,
)
from quizzes.assessment.question_files import MAX_OPTIONS
from quizzes.assessment.revisions import NotReadyError, SlugTakenError, StaleRevisionError
from quizzes.classes.publishing.running_work import tags_of, work_on_question
from quizzes.classes.week.known_mistakes import mistakes_to_choose
from quizzes.courses.models import Course
from quizzes.lessons.services import step_paths
from quizzes.teaching.access import editor_of, editors_only, for_editors, for_viewers, revision_in
from quizzes.teaching.addresses import address_in
from quizzes.teaching.changes import changes
from quizzes.teaching.forms import (
    BLANKS,
    UNSTORABLE,
    SlugForm,
    form_rows,
    missing_fields,
    read_content,
)
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
from quizzes.teaching.saved_messages import say_saved

ROWS = {str(number) for number in range(1, MAX_OPTIONS + 1)}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def questions(request: HttpRequest, course: Course) -> HttpResponse:
    """Show every question of a course, with a search; POST begins a new one."""
    if request.method == "POST":
        editors_only(request)
    form = SlugForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        blank = BLANKS.get(form.cleaned_data["kind"], BLANK)
        try:
            made = new_question(
                course, slug=form.cleaned_data["slug"], content=blank, editor=editor_of(request)
            )
            messages.success(
                request, f"{made.slug} is now a draft. It will not be asked until you publish it."
            )
            return redirect(address_in(course, "question", made.slug))
        except SlugTakenError as error:
            form.add_error("slug", str(error))
    words, tag = requested_filter(request, "q"), requested_filter(request, "tag")
    context = {
        "page": page_of(request, find_questions(course, words, tag=tag)),
        "words": words,
        "tag": tag,
        "tags": tags_to_find_by(tags_used(course)),
        "form": form,
    }
    return render(request, "teaching/questions.html", context, status=400 if form.errors else 200)


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
    if request.method == "POST":
        return _write(request, row)
    there = editable(row)
    asked_rows = requested_filter(request, "rows")
    at_least = int(asked_rows) if asked_rows in ROWS else 0
    context = question_form_context(
        row, there.content, there.revision, draft=there.draft, at_least=at_least
    )
    return render(request, "teaching/question.html", context)


@require_POST
@for_editors
def preview(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show the form's question as a learner would see it, with its faults. Saves nothing."""
    question = _question(course, slug)
    content, mistakes = read_content(request.POST), mistakes_to_choose(question)
    checked = check(slug, content, steps=step_paths(course), mistakes=mistakes)
    checked = checked.beside(question.current)
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
    there = editable(question)
    form = SlugForm(request.POST)
    if form.is_valid():
        try:
            made = new_question(
                course,
                slug=form.cleaned_data["slug"],
                content=there.content,
                editor=editor_of(request),
            )
            messages.success(
                request, f"{made.slug} is now a draft. It will not be asked until you publish it."
            )
            return redirect(address_in(course, "question", made.slug))
        except SlugTakenError as error:
            form.add_error("slug", str(error))
    context = question_form_context(question, there.content, there.revision, draft=there.draft)
    context["duplicate_form"] = form
    return render(request, "teaching/question.html", context, status=400)


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
            question=old.question,
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
            discard_draft(question=question, revision=revision_in(request))
            messages.success(request, "The draft has been discarded.")
            return redirect(address_in(question.course, "question", question.slug))
        except StaleRevisionError:
            messages.error(
                request, "Not done: somebody has changed it in the meantime. Check it first."
            )
            question.refresh_from_db()
    status = 409 if request.method == "POST" else 200
    return render(
        request, "teaching/question_shown.html", read_only_context(question), status=status
    )


def _write(request: HttpRequest, question: Question) -> HttpResponse:
    """Save the draft, and publish or discard it if that button was pressed."""
    button, content = request.POST.get("do", "save"), read_content(request.POST)
    if button != "discard" and not is_storable(content):
        messages.error(request, UNSTORABLE)
        context = question_form_context(
            question, content, revision_in(request), draft=editable(question).draft
        )
        return render(request, "teaching/question.html", context, status=400)
    try:
        if button == "discard":
            discard_draft(question=question, revision=revision_in(request))
            messages.success(request, "The draft has been discarded.")
        else:
            _save(request, question, content, button)
    except NotReadyError as error:
        count = len(error.problems)
        say_saved(
            request,
            question,
            f"Saved, not published: {count} problem{'s' * (count != 1)} to fix first.",
            messages.WARNING,
        )
    except StaleRevisionError as error:
        context = question_form_context(question, content, error.revision, draft=error.draft)
        context |= {"stale": error, "stale_changes": changes(editable(question).content, content)}
        return render(request, "teaching/question.html", context, status=409)
    if button == "more":
        return redirect(f"{request.path}?rows={form_rows(request.POST) + 1}#more")
    return redirect(address_in(question.course, "question", question.slug))


def _save(
    request: HttpRequest, question: Question, content: dict[str, object], button: str
) -> None:
    revision, editor = revision_in(request), editor_of(request)
    there = editable(question)
    waits = there.draft is not None and there.draft.publish_when_closed
    same = there.revision == revision and there.content == content
    if same and button == ("more" if waits else "save"):  # saving takes back what waits
        if button == "save":
            say_saved(request, question, "Nothing was changed.", messages.INFO)
        return
    saved = save_draft(question=question, content=content, revision=revision, editor=editor)
    if button == "publish":
        _publish(request, question, saved, content)
    elif button == "save":
        plan = " It will not be published when the quiz closes." if waits else ""
        say_saved(
            request, question, f"Saved as a draft. It will not be asked until you publish it.{plan}"
        )


def _publish(
    request: HttpRequest, question: Question, revision: int, content: dict[str, object]
) -> None:
    """Publish the draft at once or later; while a class has it to do, only as was chosen."""
    steps, mistakes = step_paths(question.course), mistakes_to_choose(question)
    editor = editor_of(request)
    running = (
        work_on_question(question, tags_of(question, content))
        if changes_question(question, content)
        else []
    )
    when = request.POST.get("when", "")
    if running and when == "closed" and all(one.closes_at for one in running):
        publish_later(
            question=question, revision=revision, steps=steps, mistakes=mistakes, editor=editor
        )
        say_saved(
            request,
            question,
            "Saved. It will be published when its quizzes have closed for the classes working "
            "on them.",
        )
    elif running and when != "now":
        say_saved(
            request,
            question,
            "Saved, not published: classes are working on a quiz with this question. Choose whether"
            " to publish now or after it closes.",
            messages.WARNING,
        )
    else:
        made = publish(
            question=question, revision=revision, steps=steps, mistakes=mistakes, editor=editor
        )
        say_saved(request, question, f"Published: version {made.number}{_where_asked(question)}")


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
        "older": older,
        "in_files": written_in_files(question) or is_generated(found),
        "answers": answers_to(course, found),
        "changes": changes(content_of(older), content_of(found)) if older else [],
    }
    return render(request, "teaching/version.html", context)
