"""All that is kept about one person, as plain data: whatever names their learner or account."""

import base64
import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import ForeignKey, ManyToOneRel, Model, QuerySet
from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.learners.adoption import columns_naming_learners
from quizzes.learners.models import Learner, User

SECRET = {"password"}  # a hash, of no use to its owner
Row = dict[str, Any]


def export_of(*, learner: Learner | None, user: User | None) -> Row:
    """Return everything of a learner and of an account, table by table, ready for JSON.

    A table that begins to name learners tomorrow is in it without a change here.
    """
    told: Row = {"exported_at": timezone.now().isoformat()}
    if user is not None:
        told["account"] = _row(user)
        for model, field in columns_naming_accounts():
            _add(told, model, model._base_manager.filter(**{field: user}))
    if learner is not None:
        told["learner"] = _row(learner)
        for model, field in columns_naming_learners():
            _add(told, model, model._base_manager.filter(**{field: learner}))
    return told


def columns_naming_accounts() -> list[tuple[type[Model], str]]:
    """Return every foreign key to an account, but the one from its learner."""
    return [
        (relation.related_model, relation.field.name)
        for relation in User._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel) and relation.related_model is not Learner
    ]


def _add(told: Row, model: type[Model], rows: QuerySet[Any]) -> None:
    keys = [field.name for field in model._meta.fields if isinstance(field, ForeignKey)]
    known = told.setdefault(str(model._meta.verbose_name_plural), [])
    for row in rows.select_related(*keys):
        if isinstance(row, Attempt):
            answers = row.responses.select_related("version__question", "instance", "choice")
            known.append(_row(row) | {"responses": list(_answers(answers))})
        elif isinstance(row, Response):
            known.extend(_answers([row]))
        else:
            known.append(_row(row))


def _answers(responses: Iterable[Response]) -> Iterable[Row]:
    """Yield answers as people can read them, with what was asked."""
    for one in responses:
        asked = one.version.prompt if one.instance is None else one.instance.prompt
        yield {
            "question": one.version.question.slug,
            "version": one.version.number,
            "asked": asked,
            "answered": one.choice.text if one.choice else one.text,
            "right": one.is_right,
            "step": one.step,
            "answered_at": _plain(one.answered_at),
        }


def _row(row: Model) -> Row:
    told: Row = {}
    for field in row._meta.fields:
        if field.name in SECRET:
            continue
        if isinstance(field, ForeignKey):
            named = getattr(row, field.name)
            told[field.name] = None if named is None else str(named)
        else:
            told[field.name] = _plain(field.value_from_object(row))
    return told


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    return value
