"""The old database, its way to the newest tables, and what is asked of it then.

Usage: DATABASE_URL=... python -m tests.upgrade.old_site make | upgrade | load | rows | pages FILE

A process of its own: the database of pytest's process has the newest tables already, and no
migration leads back from them. `make` fills an empty database as it was; `upgrade` migrates as the
site does when it starts; `load` loads the shipped course as it then does. `rows` prints the rows
that are lost, changed, doubled or withdrawn, `pages` writes what the pages say. The commands may
follow each other.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
    django.setup()

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor

from tests.drafts import content_of_draft
from tests.upgrade.allowed_differences import MOVED_MODELS, ROWS
from tests.upgrade.stored_rows import Table, insert_tables, read_json, rows_of

FOLDER = Path(__file__).parent
OLD_DATABASE = FOLDER / "old_database.json.xz"
OLD_PAGES = FOLDER / "old_pages.json.xz"
OF_A_LEARNER = {"learners.Progress", "learners.ReviewCard"}
HOME = "positional-encodings"  # the course that short addresses lead to


def old_tables() -> dict[str, Table]:
    """Return the rows of the old database, by model."""
    found: dict[str, Table] = read_json(OLD_DATABASE)["tables"]
    return found


def make() -> Apps:
    """Fill an empty database as it was, and return the models of that state."""
    stored = read_json(OLD_DATABASE)
    targets = list(stored["migrations"].items())
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    executor.loader.build_graph()
    old = executor.loader.project_state(targets).apps
    insert_tables(old, stored["tables"])
    return old


def upgrade() -> None:
    """Migrate to the newest tables, as the site does when it starts."""
    call_command("migrate", interactive=False, verbosity=0)


def load() -> None:
    """Load the shipped course; what instructors edited in the browser stays as it is."""
    call_command("load_content", str(settings.COURSE), theirs=True, stdout=sys.stderr)


def changed_rows(tables: Mapping[str, Table]) -> Iterator[str]:
    """Yield a sentence for each old row that is lost or says something else now.

    Columns that are new are not asked; one that is gone must be among `ROWS`.
    """
    for label, table in tables.items():
        model = apps.get_model(MOVED_MODELS.get(label, label))
        names = [field.attname for field in model._meta.concrete_fields]
        for name in table["fields"]:
            if name not in names and (label, name) not in ROWS:
                yield f"{label}: column {name} is gone"
        kept = [name for name in table["fields"] if name in names and (label, name) not in ROWS]
        key = model._meta.pk.attname
        now = {row[names.index(key)]: dict(zip(names, row, strict=True)) for row in rows_of(model)}
        for row in table["rows"]:
            old = dict(zip(table["fields"], row, strict=True))
            new = now.get(old[key])
            if new is None:
                yield f"{label} {old[key]}: is lost"
                continue
            for name in kept:
                if new[name] != old[name]:
                    yield f"{label} {old[key]}: {name} was {old[name]!r:.80}, is {new[name]!r:.80}"


# Drafts are files in one table now, under the names of their things.
DRAFTS = {"assessment.QuestionDraft": "question", "assessment.QuizDraft": "quiz"}


def changed_drafts(tables: Mapping[str, Table]) -> Iterator[str]:
    """Yield a sentence for each old draft that is lost or says something else now."""
    for label, kind in DRAFTS.items():
        for row in tables[label]["rows"]:
            old = dict(zip(tables[label]["fields"], row, strict=True))
            thing = apps.get_model("assessment", kind)._base_manager.get(pk=old[f"{kind}_id"])
            new = thing.course.drafts.filter(kind=kind, slug=thing.slug).first()
            if new is None:
                yield f"{label} {old['id']}: is lost"
            elif (
                content_of_draft(thing) != old["content"]
                or new.edited_at != datetime.fromisoformat(old["edited_at"])
                or (new.base, new.edited_by_id) != (old["base"], old["edited_by_id"])
            ):
                yield f"{label} {old['id']}: says something else"


def strayed_rows(tables: Mapping[str, Table]) -> Iterator[str]:
    """Yield a sentence for each old row of a model with a course that is not the shipped one's."""
    for label, table in tables.items():
        model = apps.get_model(MOVED_MODELS.get(label, label))
        fields: Mapping[str, Any] = {field.name: field for field in model._meta.concrete_fields}
        if "course" in fields and isinstance(fields["course"], models.ForeignKey):
            keys = [row[table["fields"].index("id")] for row in table["rows"]]
            at_home = set(
                model._base_manager.filter(course__slug=HOME).values_list("pk", flat=True)
            )
            for key in keys:
                if key not in at_home:
                    yield f"{label} {key}: is not of the course {HOME}"


# Where the files of the shipped course name a row of a model.
FILES = {
    "lessons.Lesson": "lessons/{}",
    "assessment.Question": "questions/{}",
    "assessment.Quiz": "quizzes/{}.yaml",
    "exercises.Exercise": "exercises/{}",
}


def withdrawn_rows(tables: Mapping[str, Table]) -> Iterator[str]:
    """Yield a sentence for each withdrawn row that a file names, or that no file ever named."""
    for label, path in FILES.items():
        model = apps.get_model(label)
        keys = [row[tables[label]["fields"].index("id")] for row in tables[label]["rows"]]
        for row in model._base_manager.filter(pk__in=keys, withdrawn_at__isnull=False):
            if not row.loaded_hash or (settings.COURSE / path.format(row.slug)).exists():
                yield f"{label} {row.pk}: {row.slug} is withdrawn"


def doubled_rows(tables: Mapping[str, Table]) -> Iterator[str]:
    """Yield a sentence for each question, quiz, exercise, lesson and course that is there twice."""
    for label, table in tables.items():
        if "slug" in table["fields"] and label not in OF_A_LEARNER:
            model = apps.get_model(MOVED_MODELS.get(label, label))
            if "slug" in {field.name for field in model._meta.concrete_fields}:
                within = ["lesson", "slug"] if label == "lessons.Step" else ["slug"]
                counted = model._base_manager.order_by().values_list(*within)
                for *_, slug, count in counted.annotate(models.Count("pk")):
                    if count > 1:
                        yield f"{label} {slug}: is there {count} times"


def main(words: list[str]) -> int:
    """Do what the words say, one after the other."""
    asked = iter(words)
    for word in asked:
        if word == "make":
            make()
        elif word == "upgrade":
            upgrade()
        elif word == "load":
            load()
        elif word == "rows":
            tables = old_tables()
            said = list(changed_drafts(tables))
            tables = {label: table for label, table in tables.items() if label not in DRAFTS}
            looks = (changed_rows, strayed_rows, doubled_rows, withdrawn_rows)
            print(json.dumps([*said, *(one for look in looks for one in look(tables))]))
        elif word == "pages":
            write_pages(Path(next(asked)), next(asked, ""))
        else:
            raise SystemExit(f"{word!r}: expected make, upgrade, load, rows or pages")
    return 0


def write_pages(file: Path, persons: str) -> None:
    """Write what the pages say now, to all persons or to these, divided by commas."""
    from tests.upgrade.site_pages import read_pages

    known = read_json(OLD_PAGES)
    wanted = {one: known[one] for one in persons.split(",")} if persons else known
    file.write_text(json.dumps(read_pages(wanted)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
