"""Several hosts prepare one database at once: all end well, and a killed one blocks nobody."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quizzes.authoring.skeletons import write_course
from tests.child_environment import child_environment
from tests.course_folders import environment_with_home
from tests.databases import ask_number, copy_database, migrated_database, new_database

pytestmark = [pytest.mark.slow, pytest.mark.races]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 900  # each of them gathers static files, one after the other, beside other tests
PREPARED = "[ordinal] the database is up to date"
COURSES = ("linear-algebra", "number-theory")
WAITS = "[ordinal] another prepare_site is running on this database"
PRODUCTION = {
    "ORDINAL_ENV": "production",
    "SECRET_KEY": "0123456789" * 5 + "ab",
    "ALLOWED_HOSTS": "example.org",
    "EMAIL_URL": "smtp://mail.example.org:25",
}


class Host:
    """One `prepare_site`, with what it says in a file."""

    def __init__(self, log: Path, environment: dict[str, str]) -> None:
        self.log = log
        with log.open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "prepare_site"],
                cwd=ROOT,
                env=child_environment() | {"PYTHONUNBUFFERED": "1"} | environment,
                stdout=said,
                stderr=said,
            )

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_until_it_says(self, words: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while words not in self.said():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.02)

    def exit_code(self) -> int:
        return self.process.wait(timeout=PATIENCE_SECONDS)


@pytest.fixture
def database(tmp_path: Path) -> str:
    return new_database(tmp_path)


@pytest.fixture
def tables(tmp_path: Path, shared_folder: Path) -> str:
    """The DATABASE_URL of tables without rows: to migrate takes each host long."""
    return copy_database(migrated_database(shared_folder), tmp_path)


@pytest.fixture
def small(tmp_path: Path) -> dict[str, str]:
    """The environment of a site with new courses: to load the shipped takes each host long."""
    for name in COURSES:
        write_course(tmp_path / "content", name)
    return environment_with_home(tmp_path / "content" / COURSES[0])


@pytest.fixture
def start(tmp_path: Path, database: str) -> Iterator[Callable[..., Host]]:
    """A factory of hosts; hosts on one machine share ORDINAL_VAR."""
    hosts: list[Host] = []

    def make(var: str = "var", **environment: str) -> Host:
        places = {"DATABASE_URL": database, "ORDINAL_VAR": str(tmp_path / var)}
        hosts.append(Host(tmp_path / f"log-{len(hosts)}", places | environment))
        return hosts[-1]

    yield make
    for host in hosts:
        host.process.kill()
        host.process.wait()


def is_there_once(database: str) -> bool:
    """Say whether the new courses are there, of one question each, and nothing of them twice."""
    courses = ask_number(database, "SELECT count(*) FROM lessons_course")
    versions = ask_number(database, "SELECT count(*) FROM assessment_questionversion")
    questions = ask_number(database, "SELECT count(*) FROM assessment_question")
    return courses == versions == questions == len(COURSES)


@pytest.mark.both_databases
@pytest.mark.soak  # by day one host waits for another, which is killed, below
@pytest.mark.parametrize("count", [2, 4])
def test_hosts_that_start_together_all_end_well(
    start: Callable[..., Host], tables: str, small: dict[str, str], tmp_path: Path, count: int
) -> None:
    hosts = [start(DATABASE_URL=tables, **PRODUCTION, **small) for _ in range(count)]
    first = first_that_says(PREPARED, hosts)
    first.process.send_signal(signal.SIGSTOP)  # it has the lock, so all others come to wait
    for other in hosts:
        if other is not first:
            other.wait_until_it_says(WAITS)
    first.process.send_signal(signal.SIGCONT)
    codes = [host.exit_code() for host in hosts]
    assert codes == [0] * count, "\n".join(host.said() for host in hosts)
    assert is_there_once(tables)
    created = [host.said().count("created: course 1") for host in hosts]
    assert sorted(created) == [0] * (count - 1) + [len(COURSES)]
    assert (tmp_path / "var" / "static" / "staticfiles.json").stat().st_size > 1000


@pytest.mark.both_databases(sqlite="soak")  # there a kernel's lock, which dies with its process
@pytest.mark.parametrize("killed", ["loads", pytest.param("migrates", marks=pytest.mark.soak)])
def test_a_killed_host_lets_the_one_that_waits_go_on(
    start: Callable[..., Host], request: pytest.FixtureRequest, small: dict[str, str], killed: str
) -> None:
    """The first loads the shipped courses, and is held where it is until the other waits."""
    database = request.getfixturevalue("tables" if killed == "loads" else "database")
    first = start("var-1", DATABASE_URL=database)
    if killed == "loads":
        first.wait_until_it_says(PREPARED)
    while not has_migrations(database):
        assert first.process.poll() is None, first.said()
        time.sleep(0.02)
    first.process.send_signal(signal.SIGSTOP)
    second = start("var-2", DATABASE_URL=database, **small)
    second.wait_until_it_says(WAITS)
    first.process.send_signal(signal.SIGKILL)
    assert first.exit_code() == -signal.SIGKILL
    assert second.exit_code() == 0, second.said()
    assert is_there_once(database)


def first_that_says(words: str, hosts: list[Host]) -> Host:
    """Return the first of them that says so."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        for host in hosts:
            if words in host.said():
                return host
            assert host.process.poll() is None, host.said()
        assert time.monotonic() < deadline, [host.said() for host in hosts]
        time.sleep(0.02)


def has_migrations(database: str) -> bool:
    """Say whether somebody has begun to migrate."""
    try:
        return ask_number(database, "SELECT count(*) FROM django_migrations") > 0
    except Exception:  # there is no such table yet
        return False
