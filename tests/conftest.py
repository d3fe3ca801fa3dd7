"""Fixtures for all tests, and what happens where the machine lacks something.

A test that needs the sandbox, Chromium or PostgreSQL is skipped where it is missing, and the
summary says so with the cure. With CI set it fails: a gate that tests less must not pass.
"""

import ctypes
import gc
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.template.loader import get_template
from django.test import Client
from django.urls import get_resolver
from playwright.sync_api import Browser, Page, expect, sync_playwright

from quizzes.grader.sandbox.host_check import check_host
from quizzes.lessons.figures.pool import reference_pool
from tests.browser import (
    CHROMIUM_FLAGS,
    OPTIONS_OF_A_PAGE,
    KeptPage,
    PageErrors,
    find_firefox,
    hide_network_of_machine,
)
from tests.collapsed_spaces import read_pages_as_laid_out
from tests.databases import (
    POSTGRESQL,
    SQLITE,
    migrated_database,
    name_of_database,
    on_postgresql,
)
from tests.examples import GATE, register_profiles
from tests.lanes import LEFT_OUT, QUICK_SECONDS, has_none_of, is_covering, processor_seconds
from tests.settled_site import SPARING, settled_site
from tests.whole_site import Site
from tools.find_chromium import find_headless_chromium

SETTLING = "settling a site"
CURE = "Cure: "  # in the reason of a test that is skipped for want of something
UNMARKED = "over the seconds of a quick test"
IN_CI = os.environ.get("CI", "").lower() not in {"", "0", "false"}
PR_SET_PDEATHSIG = 1
OBJECTS_BETWEEN_LOOKS = 20_000, 20, 100  # of the garbage collector, for its three generations
KEPT_PAGE = pytest.StashKey[KeptPage]()
PATIENCE_MS = 15_000  # of a page on a machine that has other things to do

expect.set_options(timeout=PATIENCE_MS)

read_pages_as_laid_out()
register_profiles()
hypothesis.settings.load_profile(GATE if IN_CI else "dev")

settings.PASSWORD_HASHERS = ["tests.quick_hasher.QuickHasher"]
# Each process is a site of its own: two would share the lane of slow code and the waiting places.
OWN_VAR = tempfile.TemporaryDirectory(prefix="ordinal-tests-")
settings.VAR = Path(OWN_VAR.name)


@cache
def missing_sandbox() -> str:
    """Return why student code cannot be confined on this machine, or "" when it can."""
    lacking = [finding for finding in check_host() if not finding.ok]
    return f"{lacking[0].detail} {CURE}{lacking[0].cure}" if lacking else ""


@cache
def missing_browser() -> str:
    """Return why pages cannot be tried on this machine, or "" when they can."""
    if not find_headless_chromium():
        return f"no Chromium or Chrome. {CURE}sudo apt-get install chromium (docs/operations.md)"
    ask = [sys.executable, "-m", "playwright", "--version"]
    driver = subprocess.run(ask, capture_output=True, text=True, check=False)
    if driver.returncode == 0:
        return ""
    said = driver.stderr.strip().splitlines()[:1]
    return f"Playwright does not start: {said}. {CURE}sudo apt-get install libatomic1"


@cache
def missing_firefox() -> str:
    """Return why no page can be tried in a second browser, or "" when it can."""
    return "" if find_firefox() else f"no Firefox. {CURE}sudo apt-get install firefox-esr"


LACKS: dict[str, Callable[[], str]] = {
    "sandbox": missing_sandbox,
    "browser": missing_browser,
    "firefox": missing_firefox,
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the gate's option. A pytest that a test starts would inherit a variable instead."""
    parser.addoption(
        "--name-slow", action="store_true", help="name at the end tests that should be marked slow"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Have the kernel end a process of xdist's with the one that started it, even one killed."""
    if hasattr(config, "workerinput"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among tests while they are collected, nor ever after.

    12 000 tests and all that they import were looked through whenever as much again had been made:
    7 of 20 seconds of collecting, then 7 % of the processor time of a lane. What tests themselves
    make is looked through less often than Python does, which is another 5 % of tests of pages.
    """
    gc.disable()
    try:
        result = yield
    finally:
        gc.enable()
    gc.collect()
    gc.freeze()
    gc.collect()  # counts what is left, which says when all of that is looked through again
    gc.set_threshold(*OBJECTS_BETWEEN_LOOKS)
    return result


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread that have no test for this run: reading all takes each process seconds."""
    if not collection_path.name.startswith("test_") or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text()
    return True if has_none_of(text, config.option.markexpr or "") else None


@pytest.hookimpl(tryfirst=True)  # the marks must be there when -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    database = POSTGRESQL if on_postgresql() else SQLITE
    for item in items:
        both = item.get_closest_marker("both_databases")  # a test's own mark, or that of its file
        if both is not None and both.kwargs.get(database) == "soak":
            item.add_marker(pytest.mark.soak)
        asked = getattr(item, "fixturenames", ())
        if "new_page" in asked:
            item.add_marker(pytest.mark.browser)
        if _needs_a_site(item):
            item.add_marker(pytest.mark.sandbox)
            item.add_marker(pytest.mark.site)
    _leave_the_rest_to_soak([item for item in items if item.get_closest_marker("covering")])
    # The longest first: begun last, one process would still be at it when the others are done.
    # Tests of a whole site stand between: it is being made meanwhile, and they are long as well.
    items.sort(key=_place)


def _leave_the_rest_to_soak(items: list[pytest.Item]) -> None:
    """Of the grids of `@pytest.mark.covering`, keep some cells for the gate.

    Where one rule is tried on everything, each thing once says nearly as much as each with each.
    """
    grids: dict[str, list[pytest.Item]] = {}
    for item in items:
        grids.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cells in grids.values():
        places = [_place_in_grid(item) for item in cells]
        axes = [list(dict.fromkeys(column)) for column in zip(*places, strict=True)]
        for item, place in zip(cells, places, strict=True):
            indices = [axis.index(value) for axis, value in zip(axes, place, strict=True)]
            mark = item.get_closest_marker("covering")
            assert mark is not None
            if not is_covering(indices, [len(axis) for axis in axes], **mark.kwargs):
                item.add_marker(pytest.mark.soak)


def _place_in_grid(item: pytest.Item) -> list[tuple[int, ...]]:
    """Return what each `parametrize` gives this test, by identity: values may not be hashable."""
    given = item.callspec.params  # type: ignore[attr-defined]
    axes = [mark.args[0] for mark in item.iter_markers("parametrize")]
    names = [axis.split(",") if isinstance(axis, str) else axis for axis in axes]
    return [tuple(id(given[name.strip()]) for name in axis) for axis in names]


def _place(item: pytest.Item) -> int:
    places = {(True, False): 0, (True, True): 1, (False, True): 2, (False, False): 3}
    return places[item.get_closest_marker("slow") is not None, _needs_a_site(item)]


def _needs_a_site(item: pytest.Item) -> bool:
    return not {"site", "new_site"}.isdisjoint(getattr(item, "fixturenames", ()))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test for what the machine lacks, and forget what this process kept for the last one.

    A version of an exercise never changes, so its definition is kept by its number, which the next
    test uses again. A fixture of every test would cost more than what it does.
    """
    from quizzes.exercises.models import exercise  # not before Django is set up

    exercise._DEFINITIONS.clear()
    for need, missing in LACKS.items():
        if item.get_closest_marker(need) and (reason := missing()):
            if IN_CI:
                pytest.fail(f"CI must test this: {reason}", pytrace=False)
            pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skips = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    looks = LACKS.values() if any(CURE in skip for skip in skips) else ()  # half a second
    for reason in (missing() for missing in looks):
        count = sum(1 for skip in skips if reason and reason in skip)
        if count:
            terminalreporter.section("NOT TESTED", sep="!", red=True, bold=True)
            terminalreporter.write_line(f"{count} tests were skipped: {reason}", red=True)
    for report in terminalreporter.stats.get("passed", []):
        for name, spent in report.user_properties:
            if name == UNMARKED and report.when == "call":
                terminalreporter.write_line(f"to be marked slow: {spent:.2f} s, {report.nodeid}")


@pytest.fixture(autouse=True)
def _content_has_its_token(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test whose requests or commands wrote content without a new token."""
    from tests.content_writes import watch_content  # not before Django is set up

    faults: list[str] = []
    watch_content(monkeypatch, faults)
    yield
    assert faults == []


@pytest.fixture(autouse=True)
def _one_write_at_a_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have requests that write wait for each other where all threads share one connection.

    A database in memory has one: of two transactions at once the second cannot begin, so a draft
    that was saved just then turned a submission into "nothing can be stored". A site has more.
    """
    if "live_server" not in request.fixturenames or on_postgresql():
        return
    answer, turn = WSGIHandler.__call__, threading.Lock()

    def answer_in_turn(self: WSGIHandler, environ: Any, start_response: Any) -> Any:
        if environ["REQUEST_METHOD"] != "POST":
            return answer(self, environ, start_response)
        with turn:
            return answer(self, environ, start_response)

    monkeypatch.setattr(WSGIHandler, "__call__", answer_in_turn)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A Chromium of the system, started once for all tests of this process."""
    # Playwright's loop runs in this thread; Django would refuse its ORM beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_headless_chromium(), args=list(CHROMIUM_FLAGS)
        )
        hide_network_of_machine(browser)
        yield browser
        browser.close()


@pytest.fixture
def page_errors() -> PageErrors:
    """What went wrong in this test's pages; anything not allowed fails the test."""
    return PageErrors()


@pytest.fixture(scope="session", autouse=True)
def _loaded_addresses() -> None:
    """Load what the first request of a process loads, which is no test's own time."""
    get_resolver().url_patterns  # noqa: B018  (loads all views)
    get_template("base.html")


@pytest.fixture(scope="session", autouse=True)
def _confirmed_sign_ins() -> None:
    """Let `force_login` be a sign-in of a moment ago, of an account that has no password.

    Such an account has nothing else to confirm with. Others have a password to type.
    """
    from quizzes.learners.models import User
    from tests.learners.accounts import confirm

    sign_in = Client.force_login

    def force_login(client: Client, user: User, backend: str | None = None) -> None:
        sign_in(client, user, backend)
        if not user.has_usable_password():
            confirm(client, user)

    Client.force_login = force_login  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def _quickly_emptied_tables() -> None:
    from tests.emptied_tables import empty_tables_after_tests  # not before Django is set up

    empty_tables_after_tests()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Name, in the gate, a test that takes long and does not say so: `make quick` runs it.

    It is named and never refused: seconds are the machine's, and a test that is right stays right
    on a slow one.
    """
    counted = item.config.option.name_slow and not on_postgresql() and not _is_settling()
    before = processor_seconds()
    result = yield
    spent = processor_seconds() - before
    marked = LEFT_OUT & {mark.name for mark in item.iter_markers()}
    if counted and not marked and not _is_settling() and spent > QUICK_SECONDS:
        item.user_properties.append((UNMARKED, spent))
    return result


def _is_settling() -> bool:
    """Say whether a site is being made meanwhile: its processes would count as the test's."""
    return any(thread.name == SETTLING for thread in threading.enumerate())


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Hold a test's pages to having no errors, as a part of the test."""
    result = yield
    errors = pyfuncitem.funcargs.get("page_errors")
    if isinstance(errors, PageErrors):
        errors.hear_the_last()
        assert not errors.unexpected(), "errors in the page:\n" + "\n".join(errors.unexpected())
    return result


@pytest.fixture(scope="session")
def kept_page(chromium: Browser, request: pytest.FixtureRequest) -> KeptPage:
    """The page that tests use one after the other."""
    kept = request.config.stash[KEPT_PAGE] = KeptPage(chromium, PATIENCE_MS)
    return kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close the page before the server of this process stops, which a browser may outlive."""
    if nextitem is None and KEPT_PAGE in item.config.stash:
        item.config.stash[KEPT_PAGE].close()


@pytest.fixture
def new_page(
    chromium: Browser, kept_page: KeptPage, page_errors: PageErrors
) -> Iterator[Callable[..., Page]]:
    """A factory of pages, each with cookies of its own: `new_page(color_scheme="dark")`.

    `cold=True` asks for one that has nothing in its cache.
    """
    contexts = []
    kept: list[KeptPage] = []

    def make(*, cold: bool = False, **options: Any) -> Page:
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        if kept_page.is_free and not cold and options.keys() <= OPTIONS_OF_A_PAGE:
            kept.append(kept_page)
            return kept_page.take(page_errors, **options)
        context = chromium.new_context(**options)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page_errors.watch(page)
        return page

    yield make
    try:
        for one in kept:
            one.give_back(page_errors)
    finally:
        for context in contexts:
            context.close()


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A page of a new visitor, 1280 px wide."""
    return new_page()


@pytest.fixture(scope="session")
def shared_folders(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Where `shared_folder` of each kind of database lies; the same for all runs of a gate."""
    if "ORDINAL_SHARED" in os.environ:
        return Path(os.environ["ORDINAL_SHARED"])
    folder = tmp_path_factory.getbasetemp()
    return folder if worker_id == "master" else folder.parent


@pytest.fixture(scope="session")
def shared_folder(shared_folders: Path) -> Path:
    """The same for all processes of this run, and in the gate for all runs on one database."""
    folder = shared_folders / (POSTGRESQL if on_postgresql() else SQLITE)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, shared_folder: Path
) -> Iterator[None]:
    """Begin with a copy of the migrated database, where Django would migrate from nothing.

    SQLite's, in memory, lives as long as one connection to it is open. On PostgreSQL each process
    has its own: two lanes of the gate share the server.
    """
    from django.db import connection

    migrated = name_of_database(migrated_database(shared_folder))
    if on_postgresql():
        own = {"TEMPLATE": migrated, "NAME": f"test_{os.getpid()}"}
        connection.settings_dict["TEST"].update(own)
        yield
    else:
        name = connection.creation._get_test_db_name()
        with (
            closing(sqlite3.connect(name, uri=True)) as copy,
            closing(sqlite3.connect(migrated)) as source,
        ):
            source.backup(copy)
            yield


@pytest.fixture(scope="session", autouse=True)
def _patient_drawing() -> None:
    """Give a figure longer than a reader would wait, on a machine that is busy testing."""
    reference_pool().wait_seconds = 60


@pytest.fixture(scope="session", autouse=True)
def _settling(
    request: pytest.FixtureRequest, shared_folder: Path, worker_id: str
) -> Iterator[None]:
    """A process that needs the settled site makes it while it tests something else."""
    needed = any(_needs_a_site(item) for item in request.session.items)
    settling = threading.Thread(target=settled_site, args=[shared_folder], name=SETTLING)
    if worker_id in {"master", "gw0"} and needed and not missing_sandbox():
        settling.start()
    yield
    if settling.ident is not None:
        settling.join()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, shared_folder: Path) -> Iterator[Site]:
    """The whole site, web and worker, shared by the tests of this process."""
    running = Site(tmp_path_factory.mktemp("site"), SPARING, like=settled_site(shared_folder))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def new_site(
    tmp_path_factory: pytest.TempPathFactory, shared_folder: Path
) -> Iterator[Callable[..., Site]]:
    """A factory of whole sites for tests that break things: `new_site(LOG_LEVEL="DEBUG")`."""
    running = []

    def make(*, graded: bool = True, prepared: bool = True, **environment: str) -> Site:
        folder, settled = tmp_path_factory.mktemp("site"), settled_site(shared_folder)
        site = Site(folder, SPARING | environment, like=settled, prepared=prepared)
        site.start(graded=graded)
        running.append(site)
        return site

    yield make
    for site in running:
        site.stop()
