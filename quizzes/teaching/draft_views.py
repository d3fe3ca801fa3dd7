"""What the pages of all things that are written in the browser do alike.

Begin, open, save, publish now or later, discard, and take back: the page of a kind says how its
form is read and shown, and its words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render

from quizzes.assessment.question_drafts import is_storable
from quizzes.classes.publishing.editable_kinds import work_on
from quizzes.courses.drafts import (
    CurrentText,
    Editable,
    NotReadyError,
    SlugTakenError,
    StaleRevisionError,
    current_text,
    discard,
    draft_of,
    publish,
    publish_later,
    save_draft,
)
from quizzes.courses.models import Course
from quizzes.teaching.access import editor_of
from quizzes.teaching.addresses import address_in
from quizzes.teaching.changes import changes
from quizzes.teaching.forms import UNSTORABLE, SlugForm

LISTS = {"question": "questions", "quiz": "quizzes"}  # the pages that have all of a kind


@dataclass(frozen=True)
class Words:
    """The sentences in which kinds differ."""

    new_draft: str
    saved_draft: str
    plan: str
    plan_dropped: str
    running_work: str
    discarded: str


class DraftPage(Protocol):
    """The page on which things of one kind are written."""

    template: str
    words: Words

    def read(self, data: QueryDict, button: str) -> dict[str, Any]:
        """Return the content of the form that was sent, as the button leaves it."""

    def context(self, request: HttpRequest, thing: Any, now: CurrentText) -> dict[str, Any]:
        """Return the context of the template for this content."""

    def changes_work(self, thing: Any, content: Mapping[str, Any]) -> bool:
        """Return whether classes would notice if this content were published."""

    def publication(self, thing: Any, source: Any) -> str:
        """Return the sentence to say after publishing."""

    @property
    def withdraw(self) -> Callable[[HttpRequest, Any], None] | None:
        """Return what the form's button for withdrawing does, None for a form without one.

        It raises StaleRevisionError.
        """

    def next_address(self, request: HttpRequest, thing: Any, button: str) -> str:
        """Return where to go on after a button that saves."""


def revision_in(request: HttpRequest) -> str:
    """Return the revision that the form was made from, "" if it names none."""
    return str(request.POST.get("revision", ""))


def show(
    request: HttpRequest,
    page: DraftPage,
    thing: Editable,
    now: CurrentText,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Show the form with this content."""
    context = page.context(request, thing, now)
    return render(request, page.template, context | more, status=status)


def begin_from_form(
    request: HttpRequest,
    course: Course,
    form: SlugForm,
    create: Callable[[str], Any],
    words: Words,
) -> HttpResponse | None:
    """Begin a thing with the name in a valid form, and lead to its page.

    Return None for a name that the form or the course refuses: the form says why.
    """
    if not form.is_valid():
        return None
    try:
        row = create(form.cleaned_data["slug"])
    except SlugTakenError as error:
        form.add_error("slug", str(error))
        return None
    messages.success(request, words.new_draft.format(slug=row.slug))
    return redirect(address_in(course, row._meta.model_name, row.slug))


def write(request: HttpRequest, page: DraftPage, thing: Editable) -> HttpResponse:
    """Save the draft, and publish, withdraw or discard if that button was pressed."""
    button = request.POST.get("do", "save")
    withdraw = page.withdraw if button == "withdraw" else None
    content = page.read(request.POST, button)
    if button != "discard" and withdraw is None and not is_storable(content):
        messages.error(request, UNSTORABLE)
        typed = CurrentText(content, revision_in(request), draft_of(thing))
        return show(request, page, thing, typed, status=400)
    try:
        if button == "discard":
            return _discard(request, page, thing)
        if withdraw is not None:
            withdraw(request, thing)
            return redirect(own_address(thing))
        _save(request, page, thing, content, button)
    except NotReadyError as error:
        count = len(error.problems)
        words = f"Saved, not published: {count} problem{'s' * (count != 1)} to fix first."
        say_saved(request, thing, words, messages.WARNING)
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
            is_older_form=revision_in(request).isdigit(),  # 0.3.0 counted changes
        )
    return redirect(page.next_address(request, thing, button))


def _save(
    request: HttpRequest, page: DraftPage, thing: Editable, content: dict[str, Any], button: str
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
    elif button == "save":
        dropped = f" {page.words.plan_dropped}" if waits else ""
        say_saved(request, thing, page.words.saved_draft + dropped)


def _publish(
    request: HttpRequest,
    page: DraftPage,
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


def _discard(request: HttpRequest, page: DraftPage, thing: Editable) -> HttpResponseRedirect:
    row = thing.row
    if discard(thing, revision=revision_in(request)):
        messages.success(request, "The draft has been discarded.")
        return redirect(own_address(thing))
    messages.success(request, page.words.discarded.format(slug=row.slug))
    return redirect(address_in(row.course, LISTS[thing.kind]))


def own_address(thing: Editable) -> str:
    """Return the address of a thing's page."""
    return address_in(thing.row.course, thing.kind, thing.row.slug)


def say_saved(
    request: HttpRequest, thing: Editable, words: str, level: int = messages.SUCCESS
) -> None:
    """Add a message that names the form as its `data-keep` does.

    What is saved is written in another way than it was typed, such as tags after a comma: without
    this the script would take the text that it keeps for one that was never saved.
    """
    form = f"{thing.kind}/{thing.row.course.slug}/{thing.row.slug}"
    messages.add_message(request, level, words, extra_tags=form)
