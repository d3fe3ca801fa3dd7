"""Optimistic locking of what instructors edit: questions and quizzes count their changes."""

from typing import Any

from django.db.models import F

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.models.drafts import Draft
from quizzes.content_files.problems import ContentProblem


class StaleRevisionError(Exception):
    """Somebody changed the thing since the form was opened; nothing was changed now.

    `draft` is the one that stands there now, None when it was published or discarded; `revision`
    the one a form must have to change it.
    """

    def __init__(self, name: str, revision: int, draft: Draft | None) -> None:
        super().__init__(f"{name} was changed by somebody else in the meantime")
        self.revision = revision
        self.draft = draft


class NotReadyError(Exception):
    """The draft cannot be published; `faults` say what is missing, by field."""

    def __init__(self, problems: tuple[ContentProblem, ...]) -> None:
        super().__init__("; ".join(f"{problem.path}: {problem.message}" for problem in problems))
        self.problems = problems


class SlugTakenError(Exception):
    """Another question or quiz has this name."""


def take_revision(item: Question | Quiz, revision: int) -> int:
    """Move a question or quiz from this revision to the next and return that one.

    Call it first in the transaction that makes the change: the row stays locked to its end.
    Raises StaleRevisionError when the item has another revision by now.
    """
    rows: Any = type(item).objects
    if not rows.filter(pk=item.pk, revision=revision).update(revision=F("revision") + 1):
        now = rows.select_related("draft").get(pk=item.pk)
        raise StaleRevisionError(str(item), now.revision, getattr(now, "draft", None))
    item.revision = revision + 1
    return item.revision
