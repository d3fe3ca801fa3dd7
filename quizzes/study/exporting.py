"""All that is kept about one person, as plain data: whatever names their learner or account."""

import base64
import math
import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import ManyToOneRel, Model, Prefetch, QuerySet
from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.exercises.models import EarlierVerdict
from quizzes.grader.storable import storable
from quizzes.learners.adoption import columns_naming_learners
from quizzes.learners.models import Learner, User

# A hash, of no use to its owner; words for the staff; which worker graded.
SECRET = {"password", "our_failure", "leased_by"}
ASKED = ("version__question", "instance", "choice")  # what an answer is told with
UNREADABLE = "(cannot be read any more)"
Row = dict[str, Any]


def export_of(*, learner: Learner | None, user: User | None) -> Row:
    """Return everything of a learner and of an account, table by table, ready for JSON.

    A table that begins to name learners tomorrow is in it without a change here.
    """
    told: Row = {"exported_at": timezone.now().isoformat()}
    if user is not None:
        told["account"] = _row(user)
    if learner is not None:
        told["learner"] = _row(learner)
    for rows in _tables(learner, user):
        told.setdefault(_name(rows), []).extend(_told(rows))
    return told


def counts_of(*, learner: Learner | None, user: User | None) -> dict[str, int]:
    """Return how many rows of each table the export holds, without reading them."""
    counts: dict[str, int] = {}
    for rows in _tables(learner, user):
        counts[_name(rows)] = counts.get(_name(rows), 0) + rows.count()
    return counts


def _tables(learner: Learner | None, user: User | None) -> Iterable[QuerySet[Any]]:
    if user is not None:
        for model, field in columns_naming_accounts():
            if model is not EarlierVerdict:  # an instructor asked for it; the work is a learner's
                yield model._base_manager.filter(**{field: user})
    if learner is not None:
        for model, field in columns_naming_learners():
            yield model._base_manager.filter(**{field: learner})
        yield EarlierVerdict.objects.filter(submission__learner=learner)


def _name(rows: QuerySet[Any]) -> str:
    return str(rows.model._meta.verbose_name_plural)


def columns_naming_accounts() -> list[tuple[type[Model], str]]:
    """Return every foreign key to an account, but the one from its learner."""
    return [
        (relation.related_model, relation.field.name)
        for relation in User._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel) and relation.related_model is not Learner
    ]


def _told(rows: QuerySet[Any]) -> Iterable[Row]:
    """Yield the rows of one table; how many queries it takes does not depend on how many."""
    if rows.model is Response:
        yield from _answers(rows.select_related("attempt", *ASKED))
    elif rows.model is Attempt:
        answers = Prefetch("responses", Response.objects.select_related(*ASKED))
        for one in rows.prefetch_related(answers):
            yield _row(one) | {"responses": list(_answers(one.responses.all()))}
    else:
        yield from map(_row, rows)


def _answers(responses: Iterable[Response]) -> Iterable[Row]:
    """Yield answers as people can read them, with what was asked."""
    for one in responses:
        is_open = one.attempt is not None and one.attempt.submitted_at is None
        asked = one.version.prompt if one.instance is None else one.instance.prompt
        yield {
            "question": one.version.question.slug,
            "version": one.version.number,
            "asked": asked,
            "answered": one.choice.text if one.choice else one.text,
            "right": None if is_open else one.is_right,
            "step": one.step,
            "answered_at": _plain(one.answered_at),
        }


def _row(row: Model) -> Row:
    """Return the columns of a row, of what it refers to the number only."""
    fields = [field for field in row._meta.fields if field.name not in SECRET]
    return {field.name: _plain(field.value_from_object(row)) for field in fields}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)  # JSON has no word for it
    return _storable(value)


def _storable(value: Any) -> Any:
    """Return text and stored JSON without what cannot be written: one row keeps back no other."""
    try:
        return storable(value)
    except RecursionError:
        return UNREADABLE
