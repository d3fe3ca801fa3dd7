"""One rule about failures for every pool: what is the author's is marked, what is ours never."""

import logging
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from quizzes.assessment.models import Question, QuestionVersion
from quizzes.assessment.question_files import read_questions
from quizzes.assessment.store import save_question
from quizzes.content_files.files import DiskFiles
from quizzes.exercises import publishing
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion
from quizzes.grader.api import AuthorError, SandboxBroken, SandboxUnavailable
from quizzes.worker import background, pool_keeper, question_pool
from quizzes.worker.background import CasePackPool
from quizzes.worker.pool_keeper import AuthorSandboxes, PoolKeeper
from quizzes.worker.question_pool import InstancePool, store_instance
from tests.assessment.content import write_question
from tests.assessment.drawn import SOURCE, YAML, made
from tests.courses import some_course
from tests.exercises import making
from tests.teaching.forms import teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

AUTHORS = AuthorError("file.py", 3, "ZeroDivisionError: division by zero")
BROKEN = SandboxBroken("the fork server died")


@dataclass
class Authors:
    """What authors' code does: the next failures, by version; else it works. `asked`: for what."""

    failures: dict[str, list[Exception]] = field(default_factory=dict)
    asked: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    closed: int = 0

    def run(self, name: str, seeds: list[int]) -> None:
        self.asked.append((name, tuple(seeds)))
        if left := self.failures.get(name):
            raise left.pop(0)

    @contextmanager
    def sandbox(self, _profile: str) -> Any:
        yield self
        self.closed += 1

    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


class Packs:
    """Two verified exercises that lack packs: `bad` is the lower one, `good` lacks one."""

    pool = CasePackPool

    def __init__(self, authors: Authors, monkeypatch: Any, settings: Any) -> None:
        settings.CASE_PACKS = 3
        self.bad = making.ready_exercise(packs=1).current
        exercise = Exercise.objects.create(course=some_course(), slug="other")
        self.good = publishing.add_version(
            exercise=exercise, definition=self.bad.definition, files=self.bad.files
        )
        assert self.good.verification == "ok"  # with a pack, as its files are those of `bad`
        CasePack.objects.create(version=self.good, seed=2, data=b"")
        monkeypatch.setattr(background, "_fingerprints", lambda version: None)

        def build(definition: Any, author: Authors, *, seed: int, fingerprints: Any) -> Any:
            author.run(definition.slug, [seed])
            return SimpleNamespace(to_bytes=lambda: b"pack")

        monkeypatch.setattr(background, "build_case_pack", build)

    @property
    def names(self) -> tuple[str, str]:
        return self.bad.exercise.slug, self.good.exercise.slug

    def problem(self) -> str:
        version = ExerciseVersion.objects.get(pk=self.bad.pk)
        assert version.verification == "ok"
        return "".join(version.problems)

    def has_more(self, version: ExerciseVersion) -> bool:
        return CasePack.objects.filter(version=version, data=b"pack").exists()

    def empty(self, version: ExerciseVersion) -> None:
        CasePack.objects.filter(version=version, data=b"pack").delete()

    page = teach("exercises/sinusoidal-table/")


class Instances:
    """The same with two questions whose numbers are drawn."""

    pool = InstancePool

    def __init__(self, authors: Authors, monkeypatch: Any, tmp_path: Any) -> None:
        for slug in ("drawn", "other"):
            source = SOURCE.replace("{}", repr({"slug": slug}))
            (write_question(tmp_path, slug, YAML).parent / "generate.py").write_text(source)
        for question in read_questions(DiskFiles(tmp_path))[0]:
            save_question(some_course(), question)
        versions = QuestionVersion.objects.order_by("question__slug")
        self.bad, self.good = versions.select_related("question")
        store_instance(self.good, made(0))

        def generate(
            files: Any, kind: str, seeds: list[int], author: Authors, *, is_published: bool
        ) -> list[Any]:
            author.run("drawn" if "drawn" in files["generate.py"] else "other", seeds)
            return [made(seed) for seed in seeds]

        monkeypatch.setattr(question_pool, "generate", generate)

    names = ("drawn", "other")

    def problem(self) -> str:
        return Question.objects.select_related("current").get(slug="drawn").current.problem

    def has_more(self, version: QuestionVersion) -> bool:
        return version.instances.exclude(seed=0).exists()

    def empty(self, version: QuestionVersion) -> None:
        version.instances.all().delete()

    page = teach("questions/drawn/")


@pytest.fixture
def authors() -> Authors:
    return Authors()


@pytest.fixture
def clock(monkeypatch):
    """A clock of our own: `now[0]`."""
    now = [1000.0]
    monkeypatch.setattr(pool_keeper, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.fixture(  # `PoolKeeper` fills both
    params=[Packs, pytest.param(Instances, marks=pytest.mark.soak)],
    ids=["case packs", "question instances"],
)
def pools(request, authors, monkeypatch, settings, tmp_path, clock):
    """Two versions that lack something, and the keeper of their pools."""
    made_of = settings if request.param is Packs else tmp_path
    found = request.param(authors, monkeypatch, made_of)
    sandboxes = AuthorSandboxes(authors.sandbox)
    found.keeper = PoolKeeper(found.pool(), sandboxes, stopping=threading.Event())
    return found


def rest_until_drawn(pools, authors, clock) -> float:
    """Let the keeper look every 5 s until `bad` is drawn again; say how long that took."""
    bad, _ = pools.names
    before, began = authors.names().count(bad), clock[0]
    while authors.names().count(bad) == before:
        assert clock[0] - began < 200, f"{bad} is not drawn again"
        clock[0] += 5
        pools.keeper.fill()
    return clock[0] - began


def test_what_fails_twice_is_drawn_again_later_with_the_same_seeds(pools, authors, clock):
    """A busy machine is still busy a moment later."""
    bad, _ = pools.names
    authors.failures = {bad: [AUTHORS, AUTHORS]}
    assert pools.keeper.fill()
    assert authors.names().count(bad) == 1, "it rests"
    assert pools.has_more(pools.good), "the other has its turn at once"
    assert [rest_until_drawn(pools, authors, clock) for _ in range(2)] == [20, 40]
    seeds = [seeds for name, seeds in authors.asked if name == bad]
    assert seeds[0] == seeds[1] == seeds[2]
    assert len(set(seeds)) == len(seeds) - 2, "other seeds once these are drawn"
    assert pools.problem() == ""
    assert pools.has_more(pools.bad)


def test_failures_of_ours_do_not_count_among_the_authors(pools, authors, clock):
    bad, _ = pools.names
    authors.failures = {bad: [AUTHORS, BROKEN, AUTHORS, BROKEN]}
    assert pools.keeper.fill()
    assert [rest_until_drawn(pools, authors, clock) for _ in range(4)] == [20, 40, 80, 160]
    seeds = [seeds for name, seeds in authors.asked if name == bad]
    assert len(set(seeds[:5])) == 1
    assert pools.problem() == ""
    assert pools.has_more(pools.bad)


@pytest.mark.slow
def test_faults_are_counted_anew_after_a_draw_that_worked(pools, authors, clock):
    """Each time the machine is busy for two draws; nothing is marked, however often."""
    bad, _ = pools.names
    pools.keeper.fill()
    for _ in range(3):
        pools.empty(pools.bad)
        authors.failures = {bad: [AUTHORS, AUTHORS]}
        for _ in range(3):
            rest_until_drawn(pools, authors, clock)
    assert pools.problem() == ""
    assert pools.has_more(pools.bad)


@pytest.mark.both_databases
def test_an_authors_fault_is_marked_and_told_and_holds_up_no_other(
    pools, authors, client, django_user_model, clock
):
    bad, good = pools.names
    authors.failures = {bad: [AUTHORS, AUTHORS, AUTHORS]}
    assert pools.keeper.fill()
    for _ in range(2):
        assert pools.problem() == ""
        rest_until_drawn(pools, authors, clock)
    assert pools.problem() == str(AUTHORS)
    assert not pools.has_more(pools.bad)
    assert pools.has_more(pools.good)
    clock[0] += pool_keeper.LONGEST_REST_SECONDS
    assert not pools.keeper.fill()
    assert authors.names().count(bad) == 3, "it is left alone"
    assert good in authors.names()
    staff = django_user_model.objects.create_superuser("ada", "ada@example.org", "x")
    client.force_login(staff)
    assert str(AUTHORS) in client.get(pools.page).content.decode()


def test_our_failure_marks_nothing_and_is_tried_later_and_logged_once(
    pools, authors, clock, caplog
):
    caplog.set_level(logging.ERROR)
    bad, _ = pools.names
    authors.failures = {bad: [BROKEN, BROKEN, BROKEN]}
    assert pools.keeper.fill()
    assert pools.has_more(pools.good), "the other has its turn at once"
    assert authors.closed >= 1, "a broken sandbox is opened anew"
    for tries, rest in ((1, 20), (2, 40), (3, 80)):
        assert authors.names().count(bad) == tries
        assert pools.problem() == ""
        assert rest_until_drawn(pools, authors, clock) == rest
    assert pools.has_more(pools.bad)
    assert len(caplog.records) == 1
    assert "the fork server died" in caplog.text


def test_it_never_rests_longer_than_an_hour(pools, authors, clock):
    bad, _ = pools.names
    authors.failures = {bad: [BROKEN] * 20}
    for tries in range(1, 16):
        assert pools.keeper.fill()
        assert authors.names().count(bad) == tries
        clock[0] += pool_keeper.LONGEST_REST_SECONDS


def test_a_rest_stays_an_hour_after_any_number_of_failures(clock):
    """2 ** 1024 fits in no float."""
    trouble = pool_keeper.Trouble()
    for _ in range(1100):
        trouble.rest()
    assert trouble.rests_until == clock[0] + pool_keeper.LONGEST_REST_SECONDS


@pytest.mark.parametrize("error", [SandboxUnavailable("none.", "Install it."), OperationalError()])
def test_what_concerns_all_goes_up_and_marks_nothing(pools, authors, error):
    bad, _ = pools.names
    authors.failures = {bad: [error]}
    with pytest.raises(type(error)):
        pools.keeper.fill()
    assert len(authors.asked) == 1
    assert pools.problem() == ""


def test_without_a_sandbox_nothing_is_run(pools, authors):
    @contextmanager
    def missing(_profile):
        raise SandboxUnavailable("bubblewrap is missing.", "Install it.")
        yield

    keeper = PoolKeeper(pools.pool(), AuthorSandboxes(missing), stopping=threading.Event())
    for _ in range(2):
        with pytest.raises(SandboxUnavailable):
            keeper.fill()
    assert authors.asked == []
    assert pools.problem() == ""
