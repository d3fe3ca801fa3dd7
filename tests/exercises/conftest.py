"""An exercise that really grades: its packs come from the author sandbox, once a session."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from quizzes.exercises import case_pack_pool
from quizzes.exercises.models import CasePack, Exercise
from quizzes.exercises.queue import long_poll
from quizzes.grader.judge.case_pack import CasePack as Pack
from quizzes.grader.protocol.job import Sandbox
from quizzes.worker.background import outline_of
from tests.courses import at
from tests.exercises import making
from tests.shared_sandboxes import shared_pack, shared_sandbox


@pytest.fixture(scope="session")
def packs() -> list[Pack]:
    """Two packs of the shipped exercise."""
    return [shared_pack(making.FOLDER.name, seed) for seed in (11, 12)]


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    return shared_sandbox("student")


@pytest.fixture
def real_exercise(db: None, packs: list[Pack]) -> Exercise:
    """The shipped exercise, verified, with packs that a judge can read."""
    exercise = making.ready_exercise(packs=0)
    CasePack.objects.all().delete()
    version = exercise.current
    for pack in packs:
        case_pack_pool.add_pack(version=version, seed=pack.seed, data=pack.to_bytes())
    type(version).objects.filter(pk=version.pk).update(outline=outline_of(packs[0]))
    return Exercise.objects.select_related("current").get(pk=exercise.pk)


@pytest.fixture
def address(live_server: Any, transactional_db: None, chromium: Browser) -> Iterator[str]:
    """The page of the exercise, served in this process; its last drafts arrive before the end."""
    making.ready_exercise()
    yield f"{live_server.url}{at('/exercises/sinusoidal-table/')}"
    for context in chromium.contexts:
        for page in context.pages:
            page.goto("about:blank")
            page.wait_for_timeout(300)


@pytest.fixture
def exercise(db: None, monkeypatch: pytest.MonkeyPatch) -> Exercise:
    """The shipped exercise with packs that no judge will read; no page waits for its verdicts."""
    monkeypatch.setattr(long_poll, "WAIT_SECONDS", 0)
    return making.ready_exercise()
