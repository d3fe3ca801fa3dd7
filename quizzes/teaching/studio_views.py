"""The views of all things that are written in the browser; a kind declares a `StudioPage`.

List, begin, open, save, publish now or later, discard, preview, versions, duplicate, withdraw and
restore.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.assessment.question_drafts import is_storable
from quizzes.classes.publishing.editable_kinds import KINDS, work_on
from quizzes.courses.drafts import (
    CurrentText,
    Editable,
    NotReadyError,
    SlugTakenError,
    StaleRevisionError,
    TooManyDraftsError,
    begin,
    current_text,
    discard,
    draft_of,
    lock_revision,
    publish,
    publish_later,
    save_draft,
)
from quizzes.courses.models import ContentDraft, Course
from quizzes.courses.sign_in_again import show_typed, typed_texts
from quizzes.courses.withdrawal import restore as restore_row
from quizzes.courses.withdrawal import withdraw as withdraw_row
from quizzes.teaching.access import editor_of, editors_only, for_editors, for_viewers
from quizzes.teaching.addresses import address_in
from quizzes.teaching.changes import changes
from quizzes.teaching.exercise.page import ExercisePage
from quizzes.teaching.forms import UNSTORABLE, SlugForm
from quizzes.teaching.lesson.page import LessonPage
from quizzes.teaching.plot_page import PlotPage
from quizzes.teaching.question.question_page import QuestionPage
from quizzes.teaching.quiz_page import QuizPage
from quizzes.teaching.studio import PastVersion, StudioPage, WithdrawalPage, own_address

PAGES: Mapping[str, StudioPage] = {
    "lesson": LessonPage(),
    "question": QuestionPage(),
    "quiz": QuizPage(),
    "exercise": ExercisePage(),
    "plot": PlotPage(),
}
LISTS = {
    "lesson": "lessons",
    "question": "questions",
    "quiz": "quizzes",
    "exercise": "exercises",
    "plot": "plots",
}  # the pages that have all of a kind
WITHDRAWALS: Mapping[str, WithdrawalPage] = {
    "lesson": LessonPage(),
    "question": QuestionPage(),
    "exercise": ExercisePage(),
    "plot": PlotPage(),
}


def there_still(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 404 for a thing that is discarded, with the text that was typed for it."""

    @wraps(view)
    def guarded(request: HttpRequest, course: Course, slug: str, **named: Any) -> HttpResponse:
        try:
            return view(request, course, slug, **named)
        except (ObjectDoesNotExist, Http404) as error:
            if typed_texts(dict(request.POST.lists())):
                return show_typed(request, HTTPStatus.NOT_FOUND)
            if isinstance(error, Http404):
                raise
            raise Http404(f"{named['kind']} {slug} has been discarded") from error

    return guarded


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def things(request: HttpRequest, course: Course, kind: str) -> HttpResponse:
    """Show everything of a kind in a course; POST begins a new thing."""
    page, form = PAGES[kind], SlugForm(request.POST or None)
    if request.method == "POST":
        editors_only(request)
        if begun := _begin(request, course, kind, form, page.blank(request.POST)):
            return begun
    context = page.list_context(request, course) | {"form": form}
    return render(request, page.list_template, context, status=400 if form.errors else 200)


def _begin(
    request: HttpRequest,
    course: Course,
    kind: str,
    form: SlugForm,
    content: Mapping[str, Any],
) -> HttpResponse | None:
    """Begin a thing with the name in a valid form, and lead to its page.

    Return None for a name that the form or the course refuses: the form says why.
    """
    if not form.is_valid():
        return None
    facts = KINDS[ContentDraft.Kind(kind)]
    try:
        row = begin(
            facts.model.objects,
            facts.editable,
            content=content,
            editor=editor_of(request),
            course=course,
            slug=form.cleaned_data["slug"],
            defaults=facts.new(course),
        )
    except (SlugTakenError, TooManyDraftsError) as error:
        form.add_error("slug", str(error))
        return None
    messages.success(request, PAGES[kind].words.new_draft.format(slug=row.slug))
    return redirect(row_address(row))


def row_address(row: Any) -> str:
    """Return the address of the page on which a row is written."""
    return address_in(row.course, row._meta.model_name, row.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
@there_still
def thing(request: HttpRequest, course: Course, slug: str, kind: str) -> HttpResponse:
    """Write one thing; POST saves it as a draft, and carries out its button."""
    if request.method == "POST":
        editors_only(request)
    page = PAGES[kind]
    item = page.thing(course, slug)
    if request.method == "POST":
        return write(request, page, item)
    return show(request, page, item, current_text(item))


def _named(thing: Editable) -> dict[str, Any]:
    """Return what templates of all kinds ask for: the row under two names, and its kind."""
    return {thing.kind.value: thing.row, "thing": thing.row, "kind": thing.kind.value}


def _stale_words(request: HttpRequest, name: str) -> str:
    """Return why a button did nothing: somebody was faster, or the site was upgraded."""
    if _is_older_form(request):
        return f"Not done: the site was upgraded after you opened this page. Check {name} first."
    return f"Not done: somebody has changed {name} in the meantime. Check it first."


def _is_older_form(request: HttpRequest) -> bool:
    """Return whether release 0.3.0 showed the form: it counted changes."""
    return revision_in(request).isdigit()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
@there_still
def preview(request: HttpRequest, course: Course, slug: str, kind: str) -> HttpResponse:
    """Show a thing as learners would meet it: the form that is sent, or what is saved."""
    page, is_form = PAGES[kind], request.method == "POST"
    if request.method not in page.preview_methods:
        return HttpResponseNotAllowed(page.preview_methods)
    if is_form:
        editors_only(request)
    item = page.thing(course, slug)
    content = page.read(request.POST, "") if is_form else current_text(item).content
    return render(request, page.preview_template, page.preview(request, item, content))


@require_POST
@for_editors
@there_still
def duplicate(request: HttpRequest, course: Course, slug: str, kind: str) -> HttpResponse:
    """Begin a new thing with the content of this one."""
    page, form = PAGES[kind], SlugForm(request.POST)
    item = page.thing(course, slug)
    now = current_text(item)
    if begun := _begin(request, course, kind, form, now.content):
        return begun
    return show(request, page, item, now, status=400, duplicate_form=form)


@never_cache
@require_safe
@for_viewers
@there_still
def version(
    request: HttpRequest, course: Course, slug: str, number: int, kind: str
) -> HttpResponse:
    """Show one version as learners met it, with what it changed."""
    page = PAGES[kind]
    item = page.thing(course, slug)
    versions = page.history(item)
    shown = _numbered(versions, number)
    older = next((row.text for row in versions if row.text.number < number), None)
    context = _named(item) | {
        "version": shown.text,
        "older": older,
        "changes": changes(older.content, shown.text.content) if older else [],
        "versions": versions,
        "revision": current_text(item).revision,
        "version_template": page.version_template,
    }
    return render(
        request, "teaching/version.html", context | page.version(request, item, shown.text)
    )


def _numbered(versions: Sequence[PastVersion], number: int) -> PastVersion:
    for row in versions:
        if row.text.number == number:
            return row
    raise Http404(f"there is no version {number}")


@require_POST
@for_editors
@there_still
def bring_back(
    request: HttpRequest, course: Course, slug: str, number: int, kind: str
) -> HttpResponse:
    """Make an earlier version the draft, so that the instructor can check and publish it."""
    page = PAGES[kind]
    item = page.thing(course, slug)
    text = _numbered(page.history(item), number).text
    revision, editor = revision_in(request), editor_of(request)
    try:
        save_draft(item, content=text.content, revision=revision, editor=editor)
        messages.success(request, page.words.brought_back.format(number=number))
    except StaleRevisionError:
        messages.error(request, _stale_words(request, f"the {kind}"))
    except TooManyDraftsError as error:
        messages.error(request, f"Not done: {error}.")
    return redirect(own_address(item))


@require_POST
@for_editors
def withdraw(request: HttpRequest, course: Course, slug: str, kind: str) -> HttpResponse:
    """Withdraw a thing from learners; where the kind warns of that, only if it was ticked."""
    page = WITHDRAWALS[kind]
    row = page.row(course, slug)
    is_ticked = row.withdrawn_at is not None or request.POST.get("running") == "yes"
    if not is_ticked and (warning := page.warning(row)):
        messages.warning(request, warning)
    elif withdraw_row(row, by=editor_of(request)):
        messages.success(request, page.withdrawn)
    else:
        messages.info(request, "It is already withdrawn.")
    return redirect(row_address(row))


@require_POST
@for_editors
def restore(request: HttpRequest, course: Course, slug: str, kind: str) -> HttpResponse:
    """Give learners a withdrawn thing again."""
    page = WITHDRAWALS[kind]
    row = page.row(course, slug)
    if restore_row(row, by=editor_of(request)):
        messages.success(request, page.restored)
    else:
        messages.info(request, "It was not withdrawn.")
    return redirect(row_address(row))


def revision_in(request: HttpRequest) -> str:
    """Return the revision that the form was made from, "" if it names none."""
    return str(request.POST.get("revision", ""))


def show(
    request: HttpRequest,
    page: StudioPage,
    thing: Editable,
    now: CurrentText,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Show the form with this content."""
    context = _named(thing) | page.context(request, thing, now) | more
    return render(request, page.template, context, status=status)


def write(request: HttpRequest, page: StudioPage, thing: Editable) -> HttpResponse:
    """Save the draft, and publish, withdraw or discard if that button was pressed."""
    button = request.POST.get("do", "save")
    withdraws = button == "withdraw" and bool(page.withdraws_in_form)
    content = page.finish(request, thing, page.read(request.POST, button), button)
    if button != "discard" and not withdraws and not is_storable(content):
        messages.error(request, UNSTORABLE)
        typed = CurrentText(content, revision_in(request), draft_of(thing))
        return show(request, page, thing, typed, status=400)
    try:
        if button == "discard":
            return _discard(request, page, thing)
        if withdraws:
            return _withdraw(request, page, thing)
        _save(request, page, thing, content, button)
        page.after_save(request, thing, content, button)
    except NotReadyError as error:
        words = page.not_ready(request, thing, content, error.problems)
        say_saved(request, thing, words, messages.WARNING)
    except TooManyDraftsError as error:
        messages.error(request, f"Not saved: {error}.")
        typed = CurrentText(content, revision_in(request), None)
        return show(request, page, thing, typed, status=400)
    except StaleRevisionError as error:
        typed = replace(error.now, content=content)
        differences = changes(error.now.content, content)
        return show(
            request,
            page,
            thing,
            typed,
            status=409,
            stale=error,
            stale_changes=differences,
            is_older_form=_is_older_form(request),
        )
    return redirect(page.next_address(request, thing, button))


def _withdraw(request: HttpRequest, page: StudioPage, thing: Editable) -> HttpResponseRedirect:
    with transaction.atomic():
        lock_revision(thing, revision_in(request))
        withdraw_row(thing.row, by=editor_of(request))
    messages.success(request, page.withdraws_in_form)
    return redirect(own_address(thing))


def _save(
    request: HttpRequest, page: StudioPage, thing: Editable, content: dict[str, Any], button: str
) -> None:
    revision, editor = revision_in(request), editor_of(request)
    now = current_text(thing)
    waits = now.draft is not None and now.draft.publish_when_closed
    same = now.revision == revision and now.content == content
    # Saving takes back what waits to be published; a new row of the form does not.
    saves_nothing = {"save": not waits, "more": waits, "publish": False}.get(button, True)
    if same and saves_nothing:
        if button == "save":
            say_saved(request, thing, "Nothing was changed.", messages.INFO)
        return
    saved = save_draft(thing, content=content, revision=revision, editor=editor)
    if button == "publish":
        _publish(request, page, thing, saved, content)
    elif button == "save" or page.says_every_save:
        dropped = f" {page.words.plan_dropped}" if waits else ""
        say_saved(request, thing, page.words.saved_draft + dropped)


def _publish(
    request: HttpRequest,
    page: StudioPage,
    thing: Editable,
    revision: str,
    content: Mapping[str, Any],
) -> None:
    """Publish the draft at once or later; while a class has it to do, only as was chosen."""
    running = work_on(thing, content) if page.changes_work(thing, content) else []
    when, editor = request.POST.get("when", ""), editor_of(request)
    if running and when == "closed" and all(work.closes_at for work in running):
        publish_later(thing, revision=revision, editor=editor)
        say_saved(request, thing, page.words.plan)
    elif running and when != "now":
        say_saved(request, thing, page.words.running_work, messages.WARNING)
    else:
        source = publish(thing, revision=revision, editor=editor)
        say_saved(request, thing, page.publication(thing, source))


def _discard(request: HttpRequest, page: StudioPage, thing: Editable) -> HttpResponseRedirect:
    row = thing.row
    if discard(thing, revision=revision_in(request)):
        messages.success(request, "The draft has been discarded.")
        return redirect(own_address(thing))
    messages.success(request, page.words.discarded.format(slug=row.slug))
    return redirect(address_in(row.course, LISTS[thing.kind]))


def say_saved(
    request: HttpRequest, thing: Editable, words: str, level: int = messages.SUCCESS
) -> None:
    """Add a message that names the form as its `data-keep` does.

    What is saved is written in another way than it was typed, such as tags after a comma: without
    this the script would take the text that it keeps for one that was never saved.
    """
    form = f"{thing.kind}/{thing.row.course.slug}/{thing.row.slug}"
    messages.add_message(request, level, words, extra_tags=form)
