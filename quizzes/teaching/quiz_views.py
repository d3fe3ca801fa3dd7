"""Instructors' pages: put quizzes together from questions, publish and withdraw them."""

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.assessment.drafting import is_storable
from quizzes.assessment.models import Option, Question, Quiz
from quizzes.assessment.quiz_drafting import (
    BLANK,
    discard_quiz_draft,
    editable_quiz,
    new_quiz,
    publish_quiz,
    save_quiz_draft,
    withdraw_quiz,
)
from quizzes.assessment.revisions import NotReadyError, SlugTakenError, StaleRevisionError
from quizzes.assessment.showing import versions_shown
from quizzes.learners.roles import instructors_only
from quizzes.pages.markdown import render_markdown
from quizzes.teaching.access import editor_of, revision_in, writers_only
from quizzes.teaching.changes import changes
from quizzes.teaching.forms import UNSTORABLE, SlugForm
from quizzes.teaching.lists import asked
from quizzes.teaching.questions import tags_used
from quizzes.teaching.quiz_forms import pressed, read_quiz
from quizzes.teaching.quizzes import MOST_FOUND, found_for_quiz, putting_together, quiz_list


def there_still(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 404 for a quiz that somebody discards while the view is at work on it."""

    @wraps(view)
    def guarded(request: HttpRequest, slug: str) -> HttpResponse:
        try:
            return view(request, slug)
        except Quiz.DoesNotExist as error:
            raise Http404(f"quiz {slug} was discarded meanwhile") from error

    return guarded


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@writers_only
def quizzes(request: HttpRequest) -> HttpResponse:
    """Every quiz; POST begins a new one."""
    form = SlugForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = new_quiz(
                slug=form.cleaned_data["slug"], content=BLANK, editor=editor_of(request)
            )
            return redirect("teaching:quiz", made.slug)
        except SlugTakenError as error:
            form.add_error("slug", str(error))
    context = {"quizzes": quiz_list(), "form": form}
    return render(request, "teaching/quizzes.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@writers_only
@there_still
def quiz(request: HttpRequest, slug: str) -> HttpResponse:
    """Put one quiz together; POST saves it as a draft, and does what its button says."""
    found = get_object_or_404(Quiz, slug=slug)
    if request.method == "POST":
        return _write(request, found)
    there = editable_quiz(found)
    context = putting_together(found, there.content, there.revision, draft=there.draft)
    context |= _search(request, there.content["questions"])
    return render(request, "teaching/quiz.html", context)


@never_cache
@require_safe
@instructors_only
def find(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the questions that fit the words as a fragment; `questions` are chosen already."""
    get_object_or_404(Quiz, slug=slug)
    context = _search(request, [str(one) for one in request.GET.getlist("questions")])
    return render(request, "teaching/_found.html", context)


@never_cache
@require_safe
@instructors_only
@there_still
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the quiz as it is being written, as a learner would meet it, with every reason."""
    found = get_object_or_404(Quiz, slug=slug)
    there = editable_quiz(found)
    slugs = there.content["questions"]
    fixed = Prefetch("current__options", Option.objects.filter(instance=None))
    rows = Question.objects.select_related("current__question").prefetch_related(fixed)
    current = {one.slug: one.current for one in rows.filter(slug__in=slugs)}
    versions = [version for slug in slugs if (version := current.get(slug)) is not None]
    context = {
        "quiz": found,
        "content": there.content,
        "summary": render_markdown(there.content["summary"]),
        "questions": versions_shown(versions),
    }
    return render(request, "teaching/quiz_preview.html", context)


def _search(request: HttpRequest, chosen: list[str]) -> dict[str, object]:
    words, tag = asked(request, "q"), asked(request, "tag")
    found = found_for_quiz(words, tag, without=chosen)
    return {
        "words": words,
        "tag": tag,
        "tags": tags_used(),
        "found": found[:MOST_FOUND],
        "more_found": len(found) > MOST_FOUND,
    }


def _write(request: HttpRequest, found: Quiz) -> HttpResponse:
    """Do what the pressed button says."""
    button = request.POST.get("do", "save")
    content = pressed(read_quiz(request.POST), button)
    if button not in {"discard", "withdraw"} and not is_storable(content):
        messages.error(request, UNSTORABLE)
        draft = editable_quiz(found).draft
        context = putting_together(found, content, revision_in(request), draft=draft)
        context |= _search(request, content["questions"])
        return render(request, "teaching/quiz.html", context, status=400)
    try:
        if button in {"discard", "withdraw"}:
            return _put_away(request, found, button)
        _save(request, found, content, button)
    except NotReadyError as error:
        messages.warning(request, f"Saved, not published: {len(error.faults)} to mend first.")
    except StaleRevisionError as error:
        context = putting_together(found, content, error.revision, draft=error.draft)
        context |= _search(request, content["questions"])
        context |= {"stale": error, "stale_changes": changes(editable_quiz(found).content, content)}
        return render(request, "teaching/quiz.html", context, status=409)
    return redirect(_next(request, button))


def _save(request: HttpRequest, found: Quiz, content: dict[str, object], button: str) -> None:
    revision, editor = revision_in(request), editor_of(request)
    there = editable_quiz(found)
    if button != "publish" and there.revision == revision and there.content == content:
        if button == "save":
            messages.info(request, "Nothing was changed.")
        return
    saved = save_quiz_draft(quiz=found, content=content, revision=revision, editor=editor)
    if button == "publish":
        asks = publish_quiz(quiz=found, revision=saved)
        messages.success(
            request, f"Published: learners find it with {asks} question{'s' * (asks != 1)}."
        )
    elif button == "save":
        messages.success(request, "Saved as a draft. Learners see it when you publish it.")


def _put_away(request: HttpRequest, found: Quiz, button: str) -> HttpResponse:
    if button == "withdraw":
        withdraw_quiz(quiz=found, revision=revision_in(request))
        messages.success(request, "Withdrawn: learners do not find it. Who began it may finish.")
    elif discard_quiz_draft(quiz=found, revision=revision_in(request)):
        messages.success(request, "The draft is discarded.")
    else:
        messages.success(request, f"The quiz {found.slug} is discarded.")
        return redirect("teaching:quizzes")
    return redirect("teaching:quiz", found.slug)


def _next(request: HttpRequest, button: str) -> str:
    """Return where the page goes on: at the question that was moved, with the same search."""
    act, _, slug = button.partition(":")
    search = {name: request.POST.get(name, "")[:200] for name in ("q", "tag")}
    asked = {name: value for name, value in search.items() if value}
    query = f"?{urlencode(asked)}" if asked else ""
    where = {"up": f"#place-{slug}", "down": f"#place-{slug}", "add": "#found", "find": "#found"}
    return f"{request.path}{query}{where.get(act, '#chosen' if act == 'remove' else '')}"
