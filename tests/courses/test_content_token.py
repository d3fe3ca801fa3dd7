"""A page is never other than one rendered without a cache, however content was written."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from quizzes.courses.apps import renew_tokens
from quizzes.courses.content import Content, Same, cached_content, content_token, note_token
from quizzes.courses.models import Course
from quizzes.lessons.models import Lesson
from quizzes.page_reads import reading_page
from tests.child_environment import ENDS_WITH_US, child_environment
from tests.content_writes import Watch
from tests.databases import copy_database, migrated_database, name_of_database, on_postgresql
from tests.examples import examples

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ROOT = Path(__file__).parents[2]
MOST_WRITES = 1000  # more than there are functions that write


class Process:
    """A process of `content_process.py`, which has caches of its own."""

    def __init__(self, url: str) -> None:
        environment = {"DATABASE_URL": url, "PYTHONPATH": str(ROOT), "LOG_LEVEL": "CRITICAL"}
        self.process = subprocess.Popen(
            [*ENDS_WITH_US, sys.executable, str(ROOT / "tests/courses/content_process.py")],
            cwd=ROOT,
            env=child_environment() | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *words: Any) -> Any:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        print(json.dumps(words), file=stdin, flush=True)
        return json.loads(stdout.readline())

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


class TwoProcesses:
    """Two processes on one database. While one is in a transaction, the other only reads."""

    def __init__(self, url: str) -> None:
        self.url, self.processes = url, [Process(url), Process(url)]
        self.pages, self.ways = self.processes[0]("load")
        self.depth, self.writer, self.snapshot = 0, 0, connect(":memory:")

    def do(self, step: str, who: int, number: int, word: str) -> None:
        """Take a step where it is possible, then compare a page in both processes."""
        self.writer = self.writer if self.depth else who
        if step == "write":
            self.processes[self.writer]("write", number, word)
        elif step == "begin" and self.depth < 3:
            self.processes[self.writer]("begin")
            self.depth += 1
        elif step in {"commit", "roll_back"} and self.depth:
            self.processes[self.writer](step)
            self.depth -= 1
        elif step in {"save", "restore"} and not self.depth and not on_postgresql():
            self._copy(is_restored=step == "restore")
        page = self.pages[number % len(self.pages)]
        for process in self.processes:
            difference = process("compare", page)
            assert difference == "", difference

    def _copy(self, *, is_restored: bool) -> None:
        """Keep the whole database, or put back what was kept of it, under running processes."""
        with closing(connect(name_of_database(self.url))) as site:
            if not is_restored:
                site.backup(self.snapshot)
            elif self.snapshot.execute("SELECT 1 FROM sqlite_master").fetchone():
                self.snapshot.backup(site)

    def end(self) -> None:
        """End the open transactions."""
        while self.depth:
            self.do("roll_back", 0, 0, "a")


@pytest.fixture(scope="module")
def two_processes(
    shared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TwoProcesses]:
    folder = tmp_path_factory.mktemp("two-processes")
    two = TwoProcesses(copy_database(migrated_database(shared_folder), folder))
    yield two
    for process in two.processes:
        process.stop()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "begin", "commit", "roll_back", "save", "restore"]),
        st.integers(0, 1),
        st.integers(0, MOST_WRITES),
        st.sampled_from("abc"),
    ),
    min_size=4,
    max_size=14,
)


def _take(two: TwoProcesses, steps: list[tuple[str, int, int, str]]) -> None:
    try:
        for step in steps:
            two.do(*step)
    finally:
        two.end()


@pytest.mark.slow
@pytest.mark.both_databases(postgresql="soak")
def test_pages_equal_uncached_pages(two_processes):
    """Write in each way, look at each page, by turns in both processes; undo and put back."""
    turns = range(max(two_processes.ways, len(two_processes.pages)))
    writes = [("write", turn % 2, turn, "abc"[turn % 3]) for turn in turns]
    undone = [
        *(("begin", 0, 0, "a"), ("write", 0, 0, "b"), ("begin", 0, 0, "a"), ("write", 0, 5, "c")),
        *(("roll_back", 0, 5, "a"), ("commit", 0, 0, "a")),
    ]
    _take(two_processes, [("save", 0, 0, "a"), *writes, *undone, ("restore", 1, 0, "a")])


@pytest.mark.soak  # in any order
@examples(400, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_pages_equal_uncached_pages_in_many_orders(two_processes, steps):
    _take(two_processes, steps)


@pytest.fixture
def course() -> Course:
    return Course.objects.create(slug="first", title="first", summary="x")


def _cached_title() -> Callable[[int], str | None]:
    return cached_content(lambda key: Course.objects.values_list("title", flat=True).get(pk=key))


def test_value_is_computed_once(course):
    title = _cached_title()
    assert title(course.pk) == "first"
    with CaptureQueriesContext(connection) as queries:
        assert title(course.pk) == "first"
    assert len(queries) == 1


def test_page_that_reads_goes_by_one_token(course):
    title = _cached_title()
    with reading_page():
        note_token(course)
        title(course.pk)
        with CaptureQueriesContext(connection) as queries:
            assert title(course.pk) == "first"
        Course.objects.filter(pk=course.pk).update(title="later")  # by another request
        assert title(course.pk) == "first"
    assert len(queries) == 0
    assert title(course.pk) == "later"


def test_change_after_the_token_was_read_is_not_cached(course):
    title = _cached_title()
    with reading_page():
        note_token(course)
        Course.objects.filter(pk=course.pk).update(title="later")
        assert title(course.pk) == "later"
    Course.objects.filter(pk=course.pk).update(title="last")
    assert title(course.pk) == "last"


def test_rollback_brings_old_value_back(course):
    title = _cached_title()
    with transaction.atomic():
        Course.objects.filter(pk=course.pk).update(title="never")
        assert title(course.pk) == "never"
        transaction.set_rollback(True)
    assert title(course.pk) == "first"


def test_change_during_computation_is_not_cached(course):
    def slow(key: int) -> str:
        title = Course.objects.get(pk=key).title
        Course.objects.filter(pk=key).update(title="later")
        return title

    cached = cached_content(slow)
    assert cached(course.pk) == "first"
    assert cached(course.pk) == "later"


def test_stale_instance_never_restores_token(course):
    stale = Course.objects.get(pk=course.pk)
    before = content_token(course.pk)
    Course.objects.filter(pk=course.pk).update(title="other")
    stale.save()
    assert content_token(course.pk) != before
    before = content_token(course.pk)
    stale.save(update_fields=["summary"])
    assert content_token(course.pk) != before


def test_migration_renews_every_token(course):
    before = content_token(course.pk)
    renew_tokens(apps=apps, plan=[])
    assert content_token(course.pk) == before
    renew_tokens(apps=apps, plan=["a migration"])
    assert content_token(course.pk) != before


def test_notes_of_workers_change_no_token(course):
    lesson = Lesson.objects.create(course=course, slug="a", number=1, title="a", summary="a")
    before = content_token(course.pk)
    Lesson.notes, notes = frozenset({"summary"}), Lesson.notes
    try:
        lesson.save(update_fields=["summary"])
        Lesson.objects.update(summary="b")
        assert content_token(course.pk) == before
        Lesson.objects.update(summary="c", title="c")
        assert content_token(course.pk) != before
    finally:
        Lesson.notes = notes


def test_manager_has_no_delete(course):
    """One word left out would delete all rows."""
    assert not hasattr(Lesson.objects, "delete")
    assert not hasattr(course.lessons, "delete")


def test_threads_get_their_own_values(course, transactional_db):
    other = Course.objects.create(slug="second", title="second", summary="x")
    title, wrong = _cached_title(), []

    def ask(row: Course) -> None:
        for _ in range(30):
            if title(row.pk) != row.slug:
                wrong.append(row)
        connection.close()

    threads = [threading.Thread(target=ask, args=(row,)) for row in (course, other) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_equal_models_are_not_the_same():
    first, second = Course(pk=1, title="first"), Course(pk=1, title="second")
    assert first == second
    assert Same(first) != Same(second)
    assert {Same(first): 1}[Same(first)] == 1


@pytest.fixture
def watched(monkeypatch) -> Iterator[list[str]]:
    faults: list[str] = []
    with connection.execute_wrapper(Watch(faults)):
        yield faults


def test_watch_sees_writes_without_token(course, watched):
    lesson = Lesson.objects.create(course=course, slug="a", number=1, title="a", summary="a")
    Lesson.objects.filter(pk=lesson.pk).update(title="b")
    lesson.delete()
    assert watched == []
    Lesson._base_manager.bulk_create([lesson])
    Lesson._base_manager.update(title="c")
    with connection.cursor() as cursor:
        cursor.execute('DELETE FROM "lessons_lesson"')
    assert [fault.split()[0] for fault in watched] == ["INSERT", "UPDATE", "DELETE"]


def test_watch_sees_token_read_before_write(course, watched):
    lesson = Lesson.objects.create(course=course, slug="a", number=1, title="a", summary="a")
    with transaction.atomic():
        Course.objects.filter(pk=course.pk).renew_tokens()
        content_token(course.pk)
        Lesson._base_manager.update(title="d")
    assert len(watched) == 1, lesson


def test_every_model_of_course_rooms_is_sorted():
    """A new model of these rooms is content, or is named here with its reason."""
    rooms = ("courses", "lessons", "assessment", "exercises", "concepts")
    tables = {model for room in rooms for model in apps.get_app_config(room).get_models()}
    others = {model.__name__ for model in tables if not issubclass(model, Content)} - {"Course"}
    assert others == OF_PEOPLE | OF_WORKERS | UNCACHED


OF_PEOPLE = {
    *("AuditEntry", "CourseStaff", "Attempt", "Response", "ContentDraft", "Regrade"),
    *("RegradedResponse", "Submission", "CasePicture", "PreviousVerdict", "Draft", "CodeRegrade"),
    *("TrialVerdict", "CodeRun", "MistakeDraft", "SharedNumbers", "Edition", "ExerciseProof"),
    "QuestionDraw",
    "PendingZip",
}
OF_WORKERS = {
    *("WantedInstance", "CasePack", "WorkerHeartbeat", "PeriodicTask", "ListingRun"),
    *("PlotDrawing", "PlotFrame"),
}
UNCACHED = {"OldName"}  # read by pages that are not found, each time
