"""Drafts that are published when no class has a quiz to do any more that they would change."""

import logging
from collections.abc import Iterator
from datetime import datetime

from django.core.exceptions import ObjectDoesNotExist

from quizzes.classes.publishing.editable_kinds import KINDS, work_on
from quizzes.courses.drafts import (
    Editable,
    NotReadyError,
    OutdatedDraftError,
    StaleRevisionError,
    give_up,
    publish_planned,
)
from quizzes.courses.models import ContentDraft

logger = logging.getLogger(__name__)


def publish_closed_drafts(*, now: datetime | None = None) -> int:
    """Publish the drafts that waited for classes that have closed by `now`; return how many.

    Questions come first: a quiz may name one that is published with it. A draft that cannot be
    published by now, because something that it names was withdrawn or something else was published
    meanwhile, stays a draft and waits no longer: its page and the log of the course say why.
    """
    published = 0
    for draft, thing in _planned():
        if not work_on(thing, thing.content(draft.files), now=now):
            published += _publish(draft, thing)
    return published


def _planned() -> Iterator[tuple[ContentDraft, Editable]]:
    for name, kind in KINDS.items():
        drafts = ContentDraft.objects.filter(kind=name, publish_when_closed=True)
        for draft in drafts.select_related("course", "edited_by"):
            row = kind.model.objects.filter(course=draft.course, slug=draft.slug).first()
            if row is not None:
                yield draft, kind.editable(row)


def _publish(draft: ContentDraft, thing: Editable) -> bool:
    """Publish a draft; return whether it could be."""
    try:
        publish_planned(thing, draft)
    except (StaleRevisionError, ObjectDoesNotExist):
        return False  # somebody is writing: the next look sees what became of it
    except NotReadyError as error:
        missing = "; ".join(problem.message for problem in error.problems)
        why = f"it cannot be published as it is ({missing})"
    except OutdatedDraftError as error:
        why = str(error)
    else:
        return True
    if give_up(draft, thing.row.as_subject(), why):
        logger.warning("%s: not published when it closed: %s", draft, why)
    return False
