"""How long an upgrade of a large database takes, beside reading all its rows once.

Usage: python benchmarks/upgrade.py [--responses 200000] [--quick] [--json FILE]
       python tools/with_postgres.py python benchmarks/upgrade.py
The database is the old one of tests/upgrade: fifty learners with all kinds of work, copied with
all their rows until there are so many responses. It is a new file of SQLite's, or where
DATABASE_URL names a PostgreSQL server a new database there. Measured is `migrate` from that state
to the newest, with each migration's own seconds; in the same run, before it, fetching every row of
the copied tables. --quick takes 20 000 responses. Goal: 60 seconds for 200 000 responses.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.databases import new_database, on_postgresql  # noqa: E402

GOAL_SECONDS, GOAL_RESPONSES = 60, 200_000
STEP = 10_000  # between the keys of a row and of its copy; the old database has fewer of each
# Whatever hangs on a learner, each model after those that it names.
COPIED = (
    "learners.Learner",
    "learners.Progress",
    "learners.ReviewCard",
    "assessment.Attempt",
    "assessment.Response",
    "exercises.Submission",
    "exercises.CasePicture",
    "exercises.PreviousVerdict",
    "exercises.Draft",
)
AT_ONCE = 2000  # rows fetched


@dataclass
class Upgrade:
    """One upgrade: the rows of each copied table, and seconds."""

    database: str
    rows: dict[str, int]
    read_seconds: float
    seconds: float = 0.0
    by_migration: dict[str, float] = field(default_factory=dict)

    @property
    def responses(self) -> int:
        return self.rows["assessment.Response"]

    @property
    def goal_met(self) -> bool:
        return self.seconds <= GOAL_SECONDS * max(1.0, self.responses / GOAL_RESPONSES)


def measure(responses: int) -> Upgrade:
    """Make the old database with this many responses, read it and upgrade it."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "quizzes.config.settings"
    os.environ.setdefault("ORDINAL_ENV", "development")
    django.setup()
    from tests.upgrade.old_site import make

    old = make()
    models = [old.get_model(label) for label in COPIED]
    copies = -(-responses // old.get_model("assessment.Response")._base_manager.count()) - 1
    for model in models:
        copy_rows(model, copies)
    began = time.perf_counter()
    rows = {model._meta.label: read_rows(model) for model in models}
    found = Upgrade(
        "PostgreSQL" if on_postgresql() else "SQLite", rows, time.perf_counter() - began
    )
    upgrade(found)
    return found


def copy_rows(model: Any, copies: int) -> None:
    """Copy every row of a table so many times, for as many new learners; one statement."""
    from django.db import connection

    quote = connection.ops.quote_name
    fields = model._meta.concrete_fields
    columns = ", ".join(quote(one.column) for one in fields)
    values = ", ".join(_copied(one, quote(one.column)) for one in fields)
    table = quote(model._meta.db_table)
    numbers = "SELECT 1 AS k UNION ALL SELECT k + 1 FROM copies WHERE k < %s"
    with connection.cursor() as cursor:
        # Keys above STEP are copies: a second statement must not copy those.
        cursor.execute(
            f"INSERT INTO {table} ({columns}) WITH RECURSIVE copies(k) AS ({numbers})"
            f" SELECT {values} FROM {table}, copies WHERE id < {STEP} AND k <= %s",
            [copies, copies],
        )


def _copied(one: Any, column: str) -> str:
    """Return the SQL of a column's value in copy k."""
    from django.db.models import UUIDField

    if one.name == "user":
        return "NULL"  # an account has one learner
    if isinstance(one, UUIDField) and one.name != "key":  # unique of each learner only
        return "gen_random_uuid()" if on_postgresql() else "lower(hex(randomblob(16)))"
    names_a_copy = one.is_relation and one.related_model._meta.label in COPIED
    return f"{column} + k * {STEP}" if one.primary_key or names_a_copy else column


def read_rows(model: Any) -> int:
    """Fetch every row of a table, whole; return how many there are."""
    from django.db import connection

    count = 0
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(model._meta.db_table)}")
        while rows := cursor.fetchmany(AT_ONCE):
            count += len(rows)
    return count


def upgrade(found: Upgrade) -> None:
    """Do what `migrate` does, and note the seconds of all and of each migration."""
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    began: list[float] = []

    def heard(action: str, migration: Any = None, _fake: bool = False) -> None:
        if action == "apply_start":
            began.append(time.perf_counter())
        elif action == "apply_success":
            found.by_migration[str(migration)] = time.perf_counter() - began.pop()

    start = time.perf_counter()
    executor = MigrationExecutor(connection, heard)
    executor.migrate(executor.loader.graph.leaf_nodes())
    call_command("migrate", verbosity=0)  # what follows the migrations: types and permissions
    found.seconds = time.perf_counter() - start


def table(found: Upgrade) -> Iterator[str]:
    """Yield the lines of a Markdown table, and of one of migrations that took a while."""
    rows = sum(found.rows.values())
    yield "| database | responses | rows in all | read, s | upgrade, s | ratio |"
    yield "|---|--:|--:|--:|--:|--:|"
    ratio = found.seconds / found.read_seconds
    yield (
        f"| {found.database} | {found.responses} | {rows} | {found.read_seconds:.1f}"
        f" | {found.seconds:.1f} | {ratio:.1f} |"
    )
    slow = {name: took for name, took in found.by_migration.items() if took >= 0.1}
    for name, took in sorted(slow.items(), key=lambda one: -one[1]):
        yield f"{took:8.1f} s  {name}"


def main() -> int:
    """Measure, print, and return 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--responses", type=int, default=GOAL_RESPONSES, metavar="N")
    parser.add_argument("--quick", action="store_true", help="20 000 responses")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the numbers here as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = new_database(Path(folder))
        found = measure(20_000 if options.quick else options.responses)
    print("\n".join(table(found)))
    print("goal met" if found.goal_met else f"goal MISSED: {GOAL_SECONDS} s")
    if options.json:
        result = {"command": sys.argv, **asdict(found)}
        options.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if found.goal_met else 1


if __name__ == "__main__":
    sys.exit(main())
