"""Yesterday's code on today's schema: run as a program it prints what it cannot do, as JSON.

During a rolling upgrade `migrate` has run and processes of the version before still serve. What
they know is the models of the last release (`released_migrations.txt`). Each model's first row is
read, written as it is, deleted and inserted again, by the columns that it had then.
"""

import json
import sys
from pathlib import Path
from typing import Any

import django

RELEASED = Path(__file__).with_name("released_migrations.txt")


def released() -> list[tuple[str, str]]:
    """Return (app, migration) of the last one of each app that the released version has."""
    lines = RELEASED.read_text().splitlines()
    named = [line for line in lines if line and not line.startswith("#")]
    return [tuple(line.split(".", 1)) for line in named]  # type: ignore[misc]


def newer(loader: Any) -> list[Any]:
    """Return the migrations that the released version does not have."""
    known = set()
    for leaf in released():
        known.update(loader.graph.forwards_plan(leaf))
    apps = {app for app, _ in released()}
    found = set(loader.disk_migrations) - known
    return [loader.disk_migrations[key] for key in sorted(found) if key[0] in apps]


def try_all() -> dict[str, list[str]]:
    """Return a sentence for each model that the release could not use, and those without a row."""
    from django.db import DatabaseError, connection, transaction
    from django.db.migrations.loader import MigrationLoader

    state = MigrationLoader(connection).project_state(released())
    said: dict[str, list[str]] = {"faults": [], "used": [], "empty": []}
    ours = {app for app, _ in released()}
    for model in state.apps.get_models(include_auto_created=True):
        if model._meta.app_label not in ours:
            continue
        try:
            with transaction.atomic():
                said["used" if _use(model) else "empty"].append(model._meta.label)
                transaction.set_rollback(True)
        except DatabaseError as error:
            said["faults"].append(f"{model._meta.label}: {str(error).splitlines()[0]}")
    return said


def _use(model: Any) -> bool:
    row = model._base_manager.order_by("pk").first()
    if row is None:
        return False
    row.save_base(raw=True, force_update=len(model._meta.concrete_fields) > 1)
    _delete(model, row.pk)
    row.save_base(raw=True, force_insert=True)
    assert model._base_manager.filter(pk=row.pk).exists()
    return True


def _delete(model: Any, pk: Any) -> None:
    """Delete the row alone; what names it is compared at the end of the transaction, not here."""
    rows = model._base_manager.filter(pk=pk)
    rows._raw_delete(rows.db)


if __name__ == "__main__":
    django.setup()
    json.dump(try_all(), sys.stdout)
