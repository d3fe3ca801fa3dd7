"""Opening a sandbox: the only way to run code that is not ours. Fails closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.job import Job, Limits, Run, Sandbox
from quizzes.grader.profiles import PROFILES
from quizzes.grader.routing import StudentSandbox
from quizzes.grader.supervisor import Supervisor

__all__ = [
    "Job",
    "Limits",
    "Run",
    "Sandbox",
    "SandboxBroken",
    "SandboxUnavailable",
    "open_sandbox",
]


STUDENT = "student"


@contextmanager
def open_sandbox(profile: str) -> Iterator[Sandbox]:
    """A self-tested sandbox; raises SandboxUnavailable.

    `student` is the one for submissions; `author` may import posenc; `numpy` and `torch` are the
    two fork servers behind `student`, each alone.
    """
    if profile != STUDENT and profile not in PROFILES:
        known = ", ".join((STUDENT, *PROFILES))
        raise ValueError(f"profile={profile!r}: expected one of {known}")
    sandbox = StudentSandbox() if profile == STUDENT else Supervisor(PROFILES[profile])
    sandbox.start()
    try:
        yield sandbox
    finally:
        sandbox.close()
