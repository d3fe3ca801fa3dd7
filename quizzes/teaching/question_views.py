"""Instructors' pages: find, write, preview, publish and duplicate questions."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from quizzes.assessment.drafting import (
    BLANK,
    check,
    content_of,
    discard_draft,
    editable,
    is_storable,
    new_question,
    publish,
    save_draft,
)
from quizzes.assessment.models import Question, QuestionVersion
from quizzes.assessment.reading import MAX_OPTIONS
from quizzes.assessment.revisions import NotReadyError, SlugTakenError, StaleRevisionError
from quizzes.assessment.showing import source_shown
from quizzes.teaching.access import editor_of, revision_in, writers_only
from quizzes.teaching.changes import changes
from quizzes.teaching.forms import UNSTORABLE, SlugForm, missing, read_content, rows_shown
from quizzes.teaching.lists import asked, page_of
from quizzes.teaching.numeric_form import BLANK_NUMERIC
from quizzes.teaching.questions import (
    found_questions,
    made_by_program,
    only_shown,
    step_paths,
    tags_used,
    writing,
    written_in_files,
)

ROWS = {str(number) for number in range(1, MAX_OPTIONS + 1)}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@writers_only
def questions(request: HttpRequest) -> HttpResponse:
    """Every question, with a search; POST begins a new one."""
    form = SlugForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        blank = BLANK_NUMERIC if form.cleaned_data["kind"] == "numeric" else BLANK
        try:
            made = new_question(
                slug=form.cleaned_data["slug"], content=blank, editor=editor_of(request)
            )
            return redirect("teaching:question", made.slug)
        except SlugTakenError as error:
            form.add_error("slug", str(error))
    words, tag = asked(request, "q"), asked(request, "tag")
    context = {
        "page": page_of(request, found_questions(words, tag=tag)),
        "words": words,
        "tag": tag,
        "tags": tags_used(),
        "form": form,
    }
    return render(request, "teaching/questions.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@writers_only
def question(request: HttpRequest, slug: str) -> HttpResponse:
    """Write one question; POST saves it as a draft, and publishes or discards it when asked."""
    found = get_object_or_404(Question.objects.select_related("current"), slug=slug)
    if written_in_files(found):
        return _only_shown(request, found)
    if request.method == "POST":
        return _write(request, found)
    there = editable(found)
    asked_rows = asked(request, "rows")
    at_least = int(asked_rows) if asked_rows in ROWS else 0
    context = writing(found, there.content, there.revision, draft=there.draft, at_least=at_least)
    return render(request, "teaching/question.html", context)


@require_POST
@writers_only
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form's question as a learner would see it, with what is missing. Saves nothing."""
    get_object_or_404(Question, slug=slug)
    checked = check(slug, read_content(request.POST), steps=step_paths())
    context = {"preview": source_shown(checked.source), "missing": missing(checked.faults)}
    return render(request, "teaching/_preview.html", context)


@require_POST
@writers_only
def duplicate(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a new question with this one's content."""
    found = get_object_or_404(Question.objects.select_related("current"), slug=slug)
    if written_in_files(found):
        return _only_shown(request, found)
    there = editable(found)
    form = SlugForm(request.POST)
    if form.is_valid():
        try:
            made = new_question(
                slug=form.cleaned_data["slug"], content=there.content, editor=editor_of(request)
            )
            return redirect("teaching:question", made.slug)
        except SlugTakenError as error:
            form.add_error("slug", str(error))
    context = writing(found, there.content, there.revision, draft=there.draft)
    context["duplicate_form"] = form
    return render(request, "teaching/question.html", context, status=400)


@require_POST
@writers_only
def bring_back(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Make an earlier version the draft, to be looked at and published."""
    versions = QuestionVersion.objects.select_related("question__current")
    old = get_object_or_404(versions, question__slug=slug, number=number)
    if written_in_files(old.question) or made_by_program(old):
        messages.error(request, "Not done: this is written in the course’s files.")
        return redirect("teaching:question", slug)
    try:
        save_draft(
            question=old.question,
            content=content_of(old),
            revision=revision_in(request),
            editor=editor_of(request),
        )
        messages.success(request, f"Version {number} is your draft now. Publish it to ask it.")
    except StaleRevisionError:
        messages.error(request, "Not done: the question was changed meanwhile. Look at it first.")
    return redirect("teaching:question", slug)


def _only_shown(request: HttpRequest, found: Question) -> HttpResponse:
    """Show a question of a kind that this form cannot hold; a POST discards its draft, no more.

    There is one when it was begun here before the files brought a program.
    """
    if request.POST.get("do") == "discard":
        try:
            discard_draft(question=found, revision=revision_in(request))
            messages.success(request, "The draft is discarded.")
            return redirect("teaching:question", found.slug)
        except StaleRevisionError:
            messages.error(request, "Not done: it was changed meanwhile. Look at it first.")
            found.refresh_from_db()
    status = 409 if request.method == "POST" else 200
    return render(request, "teaching/question_shown.html", only_shown(found), status=status)


def _write(request: HttpRequest, found: Question) -> HttpResponse:
    """Do what the pressed button says."""
    button, content = request.POST.get("do", "save"), read_content(request.POST)
    if button != "discard" and not is_storable(content):
        messages.error(request, UNSTORABLE)
        context = writing(found, content, revision_in(request), draft=editable(found).draft)
        return render(request, "teaching/question.html", context, status=400)
    try:
        if button == "discard":
            discard_draft(question=found, revision=revision_in(request))
            messages.success(request, "The draft is discarded.")
        else:
            _save(request, found, content, button)
    except NotReadyError as error:
        messages.warning(request, f"Saved, not published: {len(error.faults)} to mend first.")
    except StaleRevisionError as error:
        context = writing(found, content, error.revision, draft=error.draft)
        context |= {"stale": error, "stale_changes": changes(editable(found).content, content)}
        return render(request, "teaching/question.html", context, status=409)
    if button == "more":
        return redirect(f"{request.path}?rows={rows_shown(request.POST) + 1}#more")
    return redirect("teaching:question", found.slug)


def _save(request: HttpRequest, found: Question, content: dict[str, object], button: str) -> None:
    revision, editor = revision_in(request), editor_of(request)
    there = editable(found)
    if button == "save" and there.revision == revision and there.content == content:
        messages.info(request, "Nothing was changed.")
        return
    saved = save_draft(question=found, content=content, revision=revision, editor=editor)
    if button == "publish":
        made = publish(question=found, revision=saved, steps=step_paths(), editor=editor)
        messages.success(request, f"Published: version {made.number}{_where_asked(found)}")
    elif button == "save":
        messages.success(request, "Saved as a draft. Learners see it when you publish it.")


def _where_asked(found: Question) -> str:
    """Say whether learners meet a question: in a quiz, or in a lesson, whose files name it."""
    if found.loaded_hash or found.places.exists():
        return " is asked from now on."
    return ". No quiz asks it yet: add it to one under Quizzes."
