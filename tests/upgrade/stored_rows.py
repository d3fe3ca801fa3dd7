"""Rows of a database as plain JSON, and back through the models of any state of the migrations."""

from __future__ import annotations

import base64
import json
import lzma
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection, models, transaction

Table = dict[str, Any]  # {"fields": [...], "rows": [[...]]}
BATCH = 500


def read_json(path: Path) -> Any:
    """Return what a compressed file holds."""
    return json.loads(lzma.decompress(path.read_bytes()))


def write_json(path: Path, content: object) -> None:
    """Write a compressed file; equal content gives equal bytes."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def read_tables(apps: Any, *, without: Iterable[str] = ()) -> dict[str, Table]:
    """Return the rows of every table that has some, by the label of its model."""
    found = {}
    for model in apps.get_models(include_auto_created=True):
        if model._meta.label in set(without) or model._meta.proxy:
            continue
        rows = rows_of(model)
        if rows:
            fields = [field.attname for field in model._meta.concrete_fields]
            found[model._meta.label] = {"fields": fields, "rows": rows}
    return found


def rows_of(model: type[models.Model]) -> list[list[Any]]:
    """Return the rows of one table in the order of their keys, each value as JSON has it."""
    fields = [field.attname for field in model._meta.concrete_fields]
    ordered = model._base_manager.order_by("pk").values_list(*fields)
    return [[_plain(value) for value in row] for row in ordered.iterator()]


def insert_tables(apps: Apps, tables: Mapping[str, Table]) -> None:
    """Insert the rows into empty tables, with their keys, in one transaction.

    Foreign keys are checked at its end: questions and their versions name each other. Times that
    a field sets by itself (`auto_now`) are kept as they were.
    """
    inserted = []
    with transaction.atomic():
        for label, table in tables.items():
            model = apps.get_model(label)
            fields = [_field(model, name) for name in table["fields"]]
            rows = [
                model(
                    **{
                        field.attname: _value(field, it)
                        for field, it in zip(fields, row, strict=True)
                    }
                )
                for row in table["rows"]
            ]
            model._base_manager.bulk_create(rows, batch_size=BATCH)
            inserted.append(model)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), inserted):
            cursor.execute(statement)


def _field(model: type[models.Model], attname: str) -> models.Field[Any, Any]:
    field = next(field for field in model._meta.concrete_fields if field.attname == attname)
    for name in ("auto_now", "auto_now_add"):
        if hasattr(field, name):
            setattr(field, name, False)
    return field


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    return value


def _value(field: models.Field[Any, Any], plain: Any) -> Any:
    if plain is None:
        return None
    if isinstance(field, models.BinaryField):
        return base64.b64decode(plain)
    if isinstance(field, models.DateTimeField):
        return datetime.fromisoformat(plain)
    if isinstance(field, models.UUIDField):
        return UUID(plain)
    return plain
