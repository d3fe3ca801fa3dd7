"""A backup of PostgreSQL is whole, and a restore brings back exactly it, or changes nothing."""

from pathlib import Path

import psycopg
import pytest

from tests.databases import (
    ask_number,
    copy_database,
    execute,
    migrated_database,
    new_database,
    on_postgresql,
)
from tests.study.commands import manage

pytestmark = [
    pytest.mark.slow,
    pytest.mark.both_databases,
    pytest.mark.skipif(not on_postgresql(), reason="test_backup.py is about SQLite"),
]

ACCOUNTS = "SELECT count(*) FROM learners_user"
LATER = "SELECT count(*) FROM pg_tables WHERE tablename = 'later'"


@pytest.fixture
def url(shared_folder: Path, tmp_path: Path) -> str:
    return copy_database(migrated_database(shared_folder), tmp_path)


def test_a_restore_brings_back_what_the_backup_saw_and_keeps_what_it_replaced(
    url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "a.copy"
    said = manage(url, tmp_path, ["demo_logins"], ["backup", str(copy)], ["restore", str(copy)])
    assert [one.code for one in said] == [0, 0, 0], said
    assert "nothing was changed" in said[2].out
    execute(url, "TRUNCATE learners_user CASCADE", "CREATE TABLE later (number int)")
    [said] = manage(url, tmp_path, ["restore", str(copy), "--yes"])
    assert said.code == 0, said
    assert (ask_number(url, ACCOUNTS), ask_number(url, LATER)) == (2, 0)
    [kept] = tmp_path.glob("before-restore-*")
    assert [one.stat().st_mode & 0o077 for one in (copy, kept)] == [0, 0]
    [said] = manage(url, tmp_path, ["restore", str(kept), "--yes"])
    assert said.code == 0, said
    assert (ask_number(url, ACCOUNTS), ask_number(url, LATER)) == (0, 1)


def test_what_is_refused_changes_nothing(url: str, tmp_path: Path) -> None:
    names = ("whole", "half", "changed", "nothing", "empty", "other", "missing")
    whole, half, changed, nothing, empty, other, missing = (tmp_path / name for name in names)
    there, elsewhere = ["backup", str(whole)], ["backup", str(other)]
    [said] = manage(new_database(tmp_path), tmp_path, elsewhere)
    assert said.code == 0, said
    [said] = manage(url, tmp_path, there)
    content = whole.read_bytes()
    half.write_bytes(content[: len(content) // 2])
    middle = len(content) // 2
    changed.write_bytes(content[:middle] + bytes(4000) + content[middle + 4000 :])
    nothing.write_bytes(b"not a copy at all" * 100)
    empty.write_bytes(b"")
    files = [half, changed, nothing, empty, other, missing]
    again, *refused = manage(
        url, tmp_path, there, *(["restore", str(file), "--yes"] for file in files)
    )
    assert (again.code, "exists already" in again.error) == (1, True)
    for file, said in zip(files, refused, strict=True):
        assert (said.code, f"{file}: " in said.error) == (1, True), said
    assert not list(tmp_path.glob("before-restore-*"))


@pytest.mark.soak
def test_a_site_that_uses_the_database_stops_a_restore(url: str, tmp_path: Path) -> None:
    copy = tmp_path / "a.copy"
    manage(url, tmp_path, ["demo_logins"], ["backup", str(copy)])
    with psycopg.connect(url) as there:
        there.execute("UPDATE learners_user SET first_name = 'held'")
        [said] = manage(url, tmp_path, ["restore", str(copy), "--yes"])
    assert (said.code, "lock timeout" in said.error) == (1, True), said
    assert ask_number(url, f"{ACCOUNTS} WHERE first_name = 'held'") == 2
    assert not list(tmp_path.glob("*.sql"))


@pytest.mark.soak
def test_a_server_out_of_reach_is_named(tmp_path: Path) -> None:
    [said] = manage("postgres://nobody@127.0.0.1:1/nowhere", tmp_path, ["backup", "x"])
    assert (said.code, "127.0.0.1" in said.error) == (1, True), said
