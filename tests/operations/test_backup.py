"""A backup is whole, and a restore brings back exactly it, or changes nothing."""

import shutil
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.databases import copy_database, migrated_database, name_of_database
from tests.operations.commands import Said
from tests.operations.commands import manage as commands_of

pytestmark = pytest.mark.slow

COUNT = "SELECT count(*) FROM learners_user"


@pytest.fixture(scope="module")
def migrated(shared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file with two accounts, and a backup of it beside it; made once."""
    folder = tmp_path_factory.mktemp("migrated")
    file = Path(name_of_database(copy_database(migrated_database(shared_folder), folder)))
    said = manage(file, ["demo_logins"], ["backup", str(folder / "copy.sqlite3")])
    assert [one.code for one in said] == [0, 0], said
    return file


@pytest.fixture
def backup(migrated: Path, tmp_path: Path) -> Path:
    """A copy of the backup of that database, of this test's own."""
    return Path(shutil.copy2(migrated.parent / "copy.sqlite3", tmp_path))


@pytest.fixture
def database(migrated: Path, tmp_path: Path) -> Path:
    """A site's database of this test's own."""
    return Path(shutil.copy(migrated, tmp_path))


def manage(database: Path, *commands: Sequence[str]) -> list[Said]:
    """Run these commands of manage.py on a file; say how each ended."""
    return commands_of(f"sqlite:///{database}", database.parent, *commands)


# Seen a while from now: a worker is gone after 12 s, and a busy machine may take those.
BEAT = """
from django.utils.timezone import now, timedelta
from quizzes.exercises.models import WorkerHeartbeat
soon = now() + timedelta(seconds=50)
WorkerHeartbeat.objects.create(
    host="here", pid=1, started_at=soon, seen_at=soon, self_test_at=soon, self_test_ok=True
)
"""


def delete_accounts(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM learners_user")
        connection.commit()


def forget_an_index(database: Path) -> None:
    """Do damage that a look at the tables does not meet: pages that belong to nothing."""
    last = "SELECT max(rowid) FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(f"DELETE FROM sqlite_master WHERE rowid = ({last})")


def accounts(file: Path) -> int:
    with sqlite3.connect(file) as connection:
        return int(connection.execute(COUNT).fetchone()[0])


def test_a_restore_brings_back_what_the_backup_saw(
    database: Path, tmp_path: Path, backup: Path
) -> None:
    assert backup.stat().st_mode & 0o077 == 0
    delete_accounts(database)
    assert accounts(database) == 0
    restore = ["restore", str(backup), "--yes"]
    for said in manage(database, restore, restore):
        assert said.code == 0, said
    assert accounts(database) == 2
    kept = sorted(tmp_path.glob("site.sqlite3.before-restore-*"))
    assert [accounts(file) for file in kept] == [0, 2], "the second took nothing of the first away"
    assert all(file.stat().st_mode & 0o077 == 0 for file in kept)


@pytest.mark.soak
def test_a_restore_fills_the_database_of_a_new_machine(tmp_path: Path, backup: Path) -> None:
    (tmp_path / "new").mkdir()
    new = tmp_path / "new" / "site.sqlite3"
    [said] = manage(new, ["restore", str(backup), "--yes"])
    assert said.code == 0, said
    assert accounts(new) == 2


@pytest.mark.soak
def test_a_backup_under_writing_is_whole(database: Path, tmp_path: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        with sqlite3.connect(database, timeout=10) as live:
            while not stop.wait(0.002):
                live.execute("UPDATE learners_user SET first_name = hex(randomblob(20))")
                live.commit()

    writer = threading.Thread(target=write)
    writer.start()
    copy = str(tmp_path / "copy.sqlite3")
    try:
        said, check = manage(database, ["backup", copy], ["restore", copy])
    finally:
        stop.set()
        writer.join()
    assert said.code == 0, said
    assert "complete, with" in check.out


def test_what_is_refused_changes_nothing(database: Path, tmp_path: Path, backup: Path) -> None:
    """A restore without --yes, of no copy or a damaged one, or under a worker; a backup over a
    database.
    """
    rotten, damaged = tmp_path / "rotten.sqlite3", tmp_path / "damaged.sqlite3"
    forget_an_index(Path(shutil.copy(backup, rotten)))
    content = bytearray(backup.read_bytes())
    content[4096 * 3 : 4096 * 6] = b"\xff" * 4096 * 3
    empty, wrong, missing = (tmp_path / f"{name}.sqlite3" for name in ("empty", "wrong", "missing"))
    for file, bytes_in_it in (
        (damaged, bytes(content)),
        (empty, b""),
        (wrong, b"not a database at all" * 100),
    ):
        file.write_bytes(bytes_in_it)
    files = [damaged, rotten, empty, wrong, missing]
    delete_accounts(database)
    unasked, over, *refused, begun, used = manage(
        database,
        ["restore", str(backup)],
        ["backup", str(database)],
        *(["restore", str(file), "--yes"] for file in files),
        ["shell", "-c", BEAT],
        ["restore", str(backup), "--yes"],
    )
    assert "nothing was changed" in unasked.out
    assert over.code == 1
    assert "already exists" in over.error
    for file, said in zip(files, refused, strict=True):
        assert said.code == 1, file
        assert str(file) in said.error
    assert (begun.code, used.code) == (0, 1), begun
    assert "stop the site first" in used.error
    assert accounts(database) == 0
    assert not list(tmp_path.glob("*before-restore*"))
