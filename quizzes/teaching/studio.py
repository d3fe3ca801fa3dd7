"""What a kind declares to be written in the browser: the page of its form, its words, its preview.

`studio_views.py` has the views, once for all kinds: list, begin, open, save, publish now or later,
preview, versions, withdraw and restore.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Protocol

from django.http import HttpRequest, QueryDict

from quizzes.courses.drafts import CurrentText, Editable
from quizzes.courses.editions import PastText
from quizzes.courses.models import Course
from quizzes.teaching.addresses import address_in
from quizzes.teaching.changes import changed_labels
from quizzes.teaching.course_results import Facility


@dataclass(frozen=True)
class Words:
    """The sentences in which kinds differ."""

    new_draft: str
    saved_draft: str
    plan: str
    plan_dropped: str
    running_work: str
    discarded: str
    brought_back: str


@dataclass(frozen=True)
class PastVersion:
    """A version in the history of a thing; `changed`: where it differs from the one before it.

    Of a question also `met`, the number of its responses, and the `facility` for the learners that
    were asked this version first.
    """

    text: PastText
    changed: Sequence[str]
    met: int | None = None
    facility: Facility | None = None


class WithdrawalPage(Protocol):
    """A kind that can be withdrawn from learners, and restored, on the page of a thing."""

    withdrawn: str  # what to say then
    restored: str

    def row(self, course: Course, slug: str) -> Any:
        """Return the row with this name. Raises Http404."""

    def warning(self, row: Any) -> str:
        """Return why a thing is withdrawn only if that was ticked, "" for no reason."""


class StudioPage(ABC):
    """A kind of things that are written in the browser."""

    template: str
    list_template: str
    preview_template: str
    preview_methods: Sequence[str]  # POST shows the form that is sent, GET what is saved
    version_template: str  # the part that shows a version
    read_only_template = ""  # of a thing that no form can hold
    says_every_save = False  # also after a button that only changes the form
    withdraws_in_form = ""  # what to say after its button for that, "" for a form without one
    words: Words

    @abstractmethod
    def thing(self, course: Course, slug: str) -> Any:
        """Return what has this name, as an `Editable`. Raises Http404."""

    @abstractmethod
    def list_context(self, request: HttpRequest, course: Course) -> dict[str, Any]:
        """Return the context of the list of all things."""

    @abstractmethod
    def blank(self, data: QueryDict) -> Mapping[str, Any]:
        """Return the content of a new thing."""

    @abstractmethod
    def read(self, data: QueryDict, button: str) -> dict[str, Any]:
        """Return the content of the form that was sent, as the button leaves it."""

    @abstractmethod
    def context(self, request: HttpRequest, thing: Any, now: CurrentText) -> dict[str, Any]:
        """Return the context of the form with this content."""

    @abstractmethod
    def preview(
        self, request: HttpRequest, thing: Any, content: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the context of what learners would meet."""

    @abstractmethod
    def version(self, request: HttpRequest, thing: Any, text: PastText) -> dict[str, Any]:
        """Return the context of `version_template`."""

    @abstractmethod
    def publication(self, thing: Any, source: Any) -> str:
        """Return the sentence to say after publishing."""

    @abstractmethod
    def next_address(self, request: HttpRequest, thing: Any, button: str) -> str:
        """Return where to go on after a button that saves."""

    def after_save(self, request: HttpRequest, thing: Any, button: str) -> None:
        """Do what a button of this kind alone does with what is saved."""
        del request, thing, button

    def history(self, thing: Any) -> Sequence[PastVersion]:
        """Return the versions, newest first."""
        return history_of(thing)

    def changes_work(self, thing: Any, content: Mapping[str, Any]) -> bool:
        """Return whether classes would notice if this content were published."""
        del thing, content
        return True

    def is_in_files(self, thing: Any, text: PastText | None = None) -> bool:
        """Return whether the thing, or this version of it, can be written in files alone."""
        del thing, text
        return False

    def read_only_context(self, thing: Any) -> dict[str, Any]:
        """Return the context of `read_only_template`, for a kind that has one."""
        del thing
        return {}


def history_of(thing: Editable) -> list[PastVersion]:
    """Return the versions of a thing with what each changed, newest first."""
    texts = thing.versions()
    return [
        PastVersion(newer, changed_labels(older.content, newer.content) if older else [])
        for newer, older in zip_longest(texts, texts[1:])
    ]


def own_address(thing: Editable) -> str:
    """Return the address of a thing's page."""
    return address_in(thing.row.course, thing.kind, thing.row.slug)
