"""Instructors' pages: find, write, preview and publish questions."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.assessment.drafting import (
    BLANK,
    NotReadyError,
    SlugTakenError,
    StaleDraftError,
    check,
    discard_draft,
    editable_content,
    new_question,
    publish,
    save_draft,
)
from quizzes.assessment.models import Question, QuestionVersion
from quizzes.assessment.showing import question_shown, source_shown
from quizzes.learners.models import User
from quizzes.learners.roles import instructors_only
from quizzes.teaching.forms import SlugForm, missing, read_content
from quizzes.teaching.questions import found_questions, history, step_paths, writing


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@instructors_only
def questions(request: HttpRequest) -> HttpResponse:
    """Every question, with a search; POST begins a new one."""
    form = SlugForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = new_question(
                slug=form.cleaned_data["slug"], content=BLANK, editor=_editor(request)
            )
            return redirect("teaching:question", made.slug)
        except SlugTakenError as error:
            form.add_error("slug", str(error))
    words = request.GET.get("q", "")[:200]
    context = {"questions": found_questions(words), "words": words, "form": form}
    return render(request, "teaching/questions.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@instructors_only
def question(request: HttpRequest, slug: str) -> HttpResponse:
    """Write one question; POST saves it as a draft, and publishes or discards it when asked."""
    found = get_object_or_404(Question, slug=slug)
    if request.method == "POST":
        return _write(request, found)
    content, revision = editable_content(found)
    more = "more" in request.GET
    context = writing(found, content, revision, more=more)
    return render(request, "teaching/question.html", context)


@require_POST
@instructors_only
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form's question as a learner would see it, with what is missing. Saves nothing."""
    get_object_or_404(Question, slug=slug)
    checked = check(slug, read_content(request.POST), steps=step_paths())
    context = {"preview": source_shown(checked.source), "missing": missing(checked.faults)}
    return render(request, "teaching/_preview.html", context)


@require_POST
@instructors_only
def duplicate(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a new question with this one's content."""
    found = get_object_or_404(Question, slug=slug)
    content, revision = editable_content(found)
    form = SlugForm(request.POST)
    if form.is_valid():
        try:
            made = new_question(
                slug=form.cleaned_data["slug"], content=content, editor=_editor(request)
            )
            return redirect("teaching:question", made.slug)
        except SlugTakenError as error:
            form.add_error("slug", str(error))
    context = writing(found, content, revision) | {"duplicate_form": form}
    return render(request, "teaching/question.html", context, status=400)


@never_cache
@require_safe
@instructors_only
def version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one version as learners met it, with the reasons."""
    versions = QuestionVersion.objects.select_related("question").prefetch_related("options")
    found = get_object_or_404(versions, question__slug=slug, number=number)
    order = [option.pk for option in found.options.all()]
    context = {
        "question": found.question,
        "version": found,
        "shown": question_shown(found, number=1, name="shown", order=order, choice=None),
        "versions": history(found.question),
    }
    return render(request, "teaching/version.html", context)


def _editor(request: HttpRequest) -> User:
    user = request.user
    if not isinstance(user, User):
        raise Http404("no account")
    return user


def _revision(request: HttpRequest) -> int:
    text = request.POST.get("revision", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _write(request: HttpRequest, found: Question) -> HttpResponse:
    """Do what the pressed button says."""
    button = request.POST.get("do", "save")
    revision = _revision(request)
    if button == "discard":
        if discard_draft(question=found, revision=revision):
            messages.success(request, "The draft is discarded.")
        return redirect("teaching:question", found.slug)
    content = read_content(request.POST)
    try:
        draft = save_draft(
            question=found, content=content, revision=revision, editor=_editor(request)
        )
        if button == "publish":
            made = publish(question=found, revision=draft.revision, steps=step_paths())
            messages.success(request, f"Published: version {made.number} is asked from now on.")
    except NotReadyError as error:
        messages.warning(request, f"Saved, not published: {len(error.faults)} to mend first.")
    except StaleDraftError as error:
        now = error.draft.revision if error.draft else 0
        context = writing(found, content, now) | {"stale": error.draft, "is_stale": True}
        return render(request, "teaching/question.html", context, status=409)
    else:
        if button == "more":
            return redirect(f"{request.path}?more=1#more")
        if button == "save":
            messages.success(request, "Saved as a draft. Learners see it when you publish it.")
    return redirect("teaching:question", found.slug)
