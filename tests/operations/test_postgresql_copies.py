"""A backup of PostgreSQL is whole, and a restore brings back exactly it, or changes nothing."""

import shutil
from pathlib import Path

import psycopg
import pytest

from tests.databases import (
    ask_number,
    ask_rows,
    copy_database,
    execute,
    migrated_database,
    new_database,
    on_postgresql,
)
from tests.operations.commands import Said, manage

pytestmark = [
    pytest.mark.slow,
    pytest.mark.both_databases,
    pytest.mark.skipif(not on_postgresql(), reason="test_backup.py is about SQLite"),
]

ACCOUNTS = "SELECT count(*) FROM learners_user"
THINGS = """
SELECT 'relation ' || relkind::text, count(*) FROM pg_class
WHERE relnamespace = 'public'::regnamespace GROUP BY 1
UNION ALL SELECT 'function', count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT 'type', count(*) FROM pg_type WHERE typnamespace = 'public'::regnamespace
UNION ALL SELECT 'trigger', count(*) FROM pg_trigger
UNION ALL SELECT 'constraint ' || contype::text, count(*) FROM pg_constraint GROUP BY 1
ORDER BY 1
"""
# Has a restore fail after it dropped the schema.
NO_TABLES = (
    "CREATE SCHEMA apart",
    "CREATE FUNCTION apart.refuse() RETURNS event_trigger LANGUAGE plpgsql AS"
    " $$ BEGIN RAISE EXCEPTION 'no table today'; END $$",
    "CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE TABLE')"
    " EXECUTE FUNCTION apart.refuse()",
)


@pytest.fixture(scope="module")
def site(shared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A site's database with two accounts, its backup, and in the same folder one without rows."""
    folder = tmp_path_factory.mktemp("site")
    url = copy_database(migrated_database(shared_folder), folder)
    answers = manage(url, folder, ["demo_logins"], ["backup", str(folder / "site.copy")])
    assert [answer.code for answer in answers] == [0, 0], answers
    return url, folder


@pytest.fixture
def url(site: tuple[str, Path], tmp_path: Path) -> str:
    """A copy of that database of this test's own; the backup is in `tmp_path`."""
    url, folder = site
    shutil.copy2(folder / "site.copy", tmp_path)
    return copy_database(url, tmp_path)


def restore(url: str, folder: Path, *files: Path) -> list[Said]:
    return manage(url, folder, *(["restore", str(file), "--yes"] for file in files))


def test_a_restore_brings_back_what_the_backup_saw_and_keeps_what_it_replaced(
    url: str, tmp_path: Path
) -> None:
    copy, before = tmp_path / "site.copy", ask_rows(url, THINGS)
    execute(url, "TRUNCATE learners_user CASCADE", "CREATE TABLE later (number int)")
    unasked, said = manage(url, tmp_path, ["restore", str(copy)], ["restore", str(copy), "--yes"])
    assert "nothing was changed" in unasked.out
    assert said.code == 0, said
    assert ask_number(url, ACCOUNTS) == 2
    assert ask_rows(url, THINGS) == before
    [kept] = tmp_path.glob("before-restore-*")
    assert [one.stat().st_mode & 0o077 for one in (copy, kept)] == [0, 0]
    [said] = restore(url, tmp_path, kept)
    assert said.code == 0, said
    assert (ask_number(url, ACCOUNTS), ask_number(url, "SELECT count(*) FROM later")) == (0, 0)


@pytest.mark.soak
def test_what_is_refused_changes_nothing(url: str, tmp_path: Path) -> None:
    names = ("site.copy", "cut", "changed", "nothing", "empty", "other", "missing")
    whole, cut, changed, nothing, empty, other, missing = (tmp_path / name for name in names)
    [said] = manage(new_database(tmp_path), tmp_path, ["backup", str(other)])
    assert said.code == 0, said
    content = whole.read_bytes()
    cut.write_bytes(content[:-100])  # its list of contents is whole, and most of its rows
    changed.write_bytes(content[:-200] + bytes(100) + content[-100:])
    nothing.write_bytes(b"not a copy at all" * 100)
    empty.write_bytes(b"")
    files = [cut, changed, nothing, empty, other, missing]
    execute(url, "TRUNCATE learners_user CASCADE")
    for file, said in zip(files, restore(url, tmp_path, *files), strict=True):
        assert (said.code, f"{file}: " in said.error) == (1, True), said
    before = ask_rows(url, THINGS)
    execute(url, *NO_TABLES)
    [said] = restore(url, tmp_path, whole)
    assert (said.code, "psql: ERROR: no table today" in said.error) == (1, True), said
    assert (ask_rows(url, THINGS), ask_number(url, ACCOUNTS)) == (before, 0)
    with psycopg.connect(url):
        again, used = manage(
            url, tmp_path, ["backup", str(whole)], ["restore", str(whole), "--yes"]
        )
    assert (again.code, "already exists" in again.error) == (1, True)
    assert (used.code, "1 other connections: stop the site" in used.error) == (1, True), used
    assert not list(tmp_path.glob("before-restore-*"))


def test_programs_are_of_the_servers_version_and_are_not_told_the_password(
    site: tuple[str, Path], tmp_path: Path
) -> None:
    """The program that is in the path says first that it is an old one, then the server's."""
    url, _ = site
    own = ask_number(url, "SELECT current_setting('server_version_num')::int / 10000")
    log, versions, folder = (tmp_path / name for name in ("log", "versions", "programs"))
    versions.write_text(f"9.6.24\n{own}.0\n")
    folder.mkdir()
    fake = folder / "pg_dump"
    fake.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) $(head -1 {versions})"'
        f" && sed -i 1d {versions} && exit\n"
        f'echo "$@" >> {log}; echo "$PGPASSWORD" >> {log}; echo "error: enough" >&2; exit 1\n'
    )
    fake.chmod(0o755)
    secret = url.replace("://postgres@", "://postgres:hidden-word@")
    assert secret != url
    backup = ["backup", str(tmp_path / "new")]
    old, refused = manage(secret, tmp_path, backup, backup, path=f"{folder}:")
    assert (old.code, refused.code, (tmp_path / "new").exists()) == (1, 1, False)
    assert f"the server is version {own}: install" in old.error
    assert "pg_dump: error: enough" in refused.error
    arguments, password = log.read_text().splitlines()
    assert ("hidden-word" in arguments, password) == (False, "hidden-word")


@pytest.mark.soak
def test_a_server_out_of_reach_is_named(tmp_path: Path) -> None:
    file = str(tmp_path / "x")
    [said] = manage("postgres://nobody@127.0.0.1:1/nowhere", tmp_path, ["backup", file])
    assert (said.code, "127.0.0.1" in said.error) == (1, True), said
