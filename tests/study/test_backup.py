"""A backup is whole, and a restore brings back exactly it, or changes nothing."""

import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.child_environment import child_environment
from tests.databases import copy_database, migrated_database, name_of_database

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COUNT = "SELECT count(*) FROM learners_user"


@pytest.fixture(scope="module")
def migrated(shared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file with two accounts, made once."""
    folder = tmp_path_factory.mktemp("migrated")
    file = Path(name_of_database(copy_database(migrated_database(shared_folder), folder)))
    assert manage(file, "demo_logins").returncode == 0
    return file


@pytest.fixture(scope="module")
def backup(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of that database, made once."""
    copy = tmp_path_factory.mktemp("backup") / "copy.sqlite3"
    assert manage(migrated, "backup", str(copy)).returncode == 0
    return copy


@pytest.fixture
def database(migrated: Path, tmp_path: Path) -> Path:
    """A site's database of this test's own."""
    return Path(shutil.copy(migrated, tmp_path))


def manage(database: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {"DATABASE_URL": f"sqlite:///{database}", "ORDINAL_VAR": str(database.parent)}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=child_environment() | settings | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def delete_accounts(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM learners_user")
        connection.commit()


def accounts(file: Path) -> int:
    with sqlite3.connect(file) as connection:
        return int(connection.execute(COUNT).fetchone()[0])


def test_a_restore_brings_back_what_the_backup_saw(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert manage(database, "backup", str(copy)).returncode == 0
    assert copy.stat().st_mode & 0o077 == 0
    delete_accounts(database)
    assert accounts(database) == 0
    for _ in range(2):
        run = manage(database, "restore", str(copy), "--yes")
        assert run.returncode == 0, run.stderr
        assert accounts(database) == 2
    kept = sorted(tmp_path.glob("site.sqlite3.before-restore-*"))
    assert [accounts(file) for file in kept] == [0, 2], "the second took nothing of the first away"
    assert all(file.stat().st_mode & 0o077 == 0 for file in kept)


def test_a_restore_fills_the_database_of_a_new_machine(
    database: Path, tmp_path: Path, backup: Path
) -> None:
    copy = shutil.copy(backup, tmp_path)
    (tmp_path / "new").mkdir()
    new = tmp_path / "new" / "site.sqlite3"
    run = manage(new, "restore", str(copy), "--yes")
    assert run.returncode == 0, run.stderr
    assert accounts(new) == 2


def test_a_running_worker_stops_a_restore(database: Path, tmp_path: Path, backup: Path) -> None:
    copy = shutil.copy(backup, tmp_path)
    beat = (
        "from quizzes.exercises.models import WorkerHeartbeat as W; from django.utils.timezone "
        "import now; W.objects.create(host='here', pid=1, started_at=now(), seen_at=now(), "
        "self_test_at=now(), self_test_ok=True, detail='')"
    )
    assert manage(database, "shell", "-c", beat).returncode == 0
    run = manage(database, "restore", str(copy), "--yes")
    assert run.returncode == 1
    assert "stop the site first" in run.stderr


def test_without_yes_nothing_changes(database: Path, tmp_path: Path, backup: Path) -> None:
    copy = shutil.copy(backup, tmp_path)
    delete_accounts(database)
    assert "nothing was changed" in manage(database, "restore", str(copy)).stdout
    assert accounts(database) == 0


def test_a_backup_under_writing_is_whole(database: Path, tmp_path: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        with sqlite3.connect(database, timeout=10) as live:
            while not stop.is_set():
                live.execute("UPDATE learners_user SET first_name = hex(randomblob(20))")
                live.commit()

    writer = threading.Thread(target=write)
    writer.start()
    run = manage(database, "backup", str(tmp_path / "copy.sqlite3"))
    stop.set()
    writer.join()
    assert run.returncode == 0, run.stderr
    check = manage(database, "restore", str(tmp_path / "copy.sqlite3"))
    assert "whole, with" in check.stdout


def test_a_backup_never_overwrites(database: Path) -> None:
    run = manage(database, "backup", str(database))
    assert run.returncode == 1
    assert "exists already" in run.stderr
    assert accounts(database) == 2


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 100, None])
def test_a_file_that_is_no_backup_changes_nothing(
    content: bytes | None, database: Path, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.sqlite3"
    if content is not None:
        file.write_bytes(content)
    run = manage(database, "restore", str(file), "--yes")
    assert run.returncode == 1
    assert str(file) in run.stderr
    assert accounts(database) == 2


def test_a_damaged_copy_is_refused(database: Path, tmp_path: Path, backup: Path) -> None:
    copy = Path(shutil.copy(backup, tmp_path))
    content = bytearray(copy.read_bytes())
    content[4096 * 3 : 4096 * 6] = b"\xff" * 4096 * 3
    copy.write_bytes(content)
    run = manage(database, "restore", str(copy), "--yes")
    assert run.returncode == 1
    assert accounts(database) == 2


def test_postgresql_is_referred_to_its_own_tools(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "tools/with_postgres.py", sys.executable, "manage.py", "backup", "x"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "pg_dump" in run.stderr
