"""Commands run authors' code in the sandboxes that this process of tests has open."""

import pytest

from quizzes.worker import check_course
from quizzes.worker.management.commands import draw_question, verify_exercise
from tests.shared_sandboxes import open_shared


@pytest.fixture(autouse=True)
def _open_sandboxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start none for a command: with torch that takes seconds, and no test here is about it."""
    for module in (check_course, draw_question, verify_exercise):
        monkeypatch.setattr(module, "open_sandbox", open_shared)
